package org.idallocator.zk.lease;

import org.idallocator.zk.era.Era;
import org.idallocator.zk.znode.Slot;

/**
 * A slot that is to be claimed.
 *
 * @param era the era of the slot's pool, found to be as configured
 */
record WantedSlot(Slot slot, Era era) {}
