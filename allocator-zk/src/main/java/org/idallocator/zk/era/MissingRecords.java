package org.idallocator.zk.era;

import java.util.Optional;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.znode.SlotRecord;

/**
 * What a slot without a record counts for. Usually nobody has used it yet. But somebody may have deleted its record, as
 * nobody should: then whoever used the slot may be cut off and serve on, so all counts that anybody can have reserved
 * by now.
 */
public final class MissingRecords {
    private MissingRecords() {}

    /**
     * Whether slots of a pool that have no record may have been used all the same: some record of the pool was deleted.
     *
     * @param records the node above the pool's records; empty where there is none
     */
    public static boolean mayHaveBeenUsed(Optional<Store.Node> records) {
        return records.filter(Store.Node::childrenDeleted).isPresent();
    }

    /**
     * The record that stands for a lost one. Its ceiling is above all that any tenure of these terms can have reserved
     * by now.
     *
     * @param micros now
     */
    public static SlotRecord lost(TickUnit unit, long micros, Terms terms) {
        long ceiling = Math.min(unit.maxTick(), unit.tickAt(micros) + unit.ticksIn(terms.reach()));
        return SlotRecord.lost(unit, ceiling);
    }
}
