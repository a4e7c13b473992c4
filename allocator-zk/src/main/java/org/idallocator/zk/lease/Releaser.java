package org.idallocator.zk.lease;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/**
 * Releases a slot. Issuing ends first; then one transaction, conditional on the record's version, sets the record down to the
 * last tick that was used and deletes the lease. The next tenure may start on the very next tick, or go on from what the
 * generator left ({@link Succession}). Where an operator or an expired session took record or lease, the transaction leaves
 * that one alone. Where a stranger wrote a record that reserves less than was used, the transaction raises it to that: so no
 * other tenure begins below. Where the pool has another generation by now, it leaves the record alone, all of which lies below the new
 * floor.
 */
final class Releaser {
    private final Nodes nodes;

    Releaser(Nodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Releases a tenure whose fence has tripped. Its generator is closed first, so that no tick above the one that the record
     * goes down to can be issued.
     *
     * @param found what there is to release, just read back
     * @param meta as it was before {@code found} was read
     * @throws StoreException when the release may not have happened; the caller resolves the slot and calls again
     */
    void release(Tenure tenure, Resolver.Resolution found, Root.Seen meta) {
        Tree tree = nodes.tree();
        Slot slot = tenure.slot();
        String path = tree.record(slot);
        List<Store.Op> ops =
                new ArrayList<>(meta.checks(tree)); // or a late release could lower a ceiling of after a restore
        if (found.generationThere()) {
            ops.add(Layouts.check(tree, slot.pool(), tenure.generation()));
        }
        if (forged(tenure, found)) {
            ops.add(new Store.Op.Write(path, Json.write(raised(tenure, found)), found.recordVersion()));
        } else if (found.recordOurs() && found.generationThere()) {
            tenure.leavesRecord();
            ops.add(new Store.Op.Write(path, Json.write(left(tenure)), found.recordVersion()));
        } else if (found.recordVersion() >= 0) {
            ops.add(new Store.Op.Check(path, found.recordVersion())); // else the lease may be a successor's
        }
        if (found.leaseOurs()) {
            ops.add(new Store.Op.Delete(tree.lease(slot), -1));
        }
        nodes.store().multi(ops);
    }

    /**
     * Whether somebody who is no replica wrote the record: another tenure could use what this one has used. Not so where
     * one goes on from the record that this tenure left in order.
     */
    static boolean forged(Tenure tenure, Resolver.Resolution found) {
        long last = tenure.close();
        boolean handsOver = !found.recordOurs() && !tenure.hasLeftRecord() && found.handsOver(last);
        return found.generationThere() && (found.reservesLess(last) || handsOver);
    }

    /** What takes the place of a forged record. It has no snapshot: others may have used ticks that the tenure knows nothing of. */
    private static SlotRecord raised(Tenure tenure, Resolver.Resolution found) {
        SlotRecord forged = Objects.requireNonNull(found.record());
        long ceiling = Math.max(tenure.close(), forged.ceiling());
        return SlotRecord.released(tenure.slot().unit(), ceiling, tenure.nonce())
                .keeping(forged.unknown());
    }

    /** The record of a tenure that ended in order. */
    private static SlotRecord left(Tenure tenure) {
        long last = tenure.generator().close();
        boolean used = last >= tenure.fence().floorTick();
        JsonNode snapshot = used ? tenure.generator().handover().map(Json::tree).orElse(null) : null;
        SlotRecord released = tenure.leaving(last);
        return snapshot == null ? released : released.with(tenure.fence().floorTick(), snapshot);
    }
}
