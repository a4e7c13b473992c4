package org.idallocator.zk.lease;

import java.time.Instant;
import org.idallocator.zk.era.Contact;
import org.idallocator.zk.era.Era;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.Slot;

/**
 * A slot that is to be claimed.
 *
 * @param era the era of the slot's pool, found to be as configured
 * @param contact the contact in which that was read
 * @param floor the earliest time that a tenure may issue, inclusive: above what earlier eras reserved, and above what
 *     was reserved in a history that ZooKeeper may have lost
 */
record WantedSlot(Slot slot, Era era, Contact contact, Instant floor) {

    /** The first tick that starts at or after the floor. */
    long firstTick() {
        return Floors.firstTick(slot.unit(), floor);
    }
}
