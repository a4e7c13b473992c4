package org.idallocator.zk.lease;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
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
 * Gives a slot back: issuing ends, the record goes down to the last tick that was used, and the lease goes, in one
 * transaction that is conditional on the record's version. The next tenure may start on the very next tick, or go on from
 * what the generator left ({@link Succession}). Where only one of the two is left, because an operator or an expired
 * session took the other, that one. Of a pool that has another generation by now the lease alone: the record is the next
 * tenure's, and all of it lies below the new floor.
 */
final class Releaser {
    private final Nodes nodes;

    Releaser(Nodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Releases a tenure whose fence has tripped. Its generator is closed first, so that no tick above the one that the record goes
     * down to can be issued.
     *
     * @param found what there is to give back, just read
     * @param meta as it was before that was read
     * @throws StoreException when it may not have happened; the same call may be made again after the slot was resolved
     */
    void release(Tenure tenure, Resolver.Resolution found, Root.Seen meta) {
        Tree tree = nodes.tree();
        Slot slot = tenure.slot();
        long last = tenure.generator().close();
        String path = tree.record(slot);
        List<Store.Op> ops =
                new ArrayList<>(meta.checks(tree)); // or a late release could lower what came after a restore
        if (found.generationThere()) {
            ops.add(Layouts.check(tree, slot.pool(), tenure.generation()));
        }
        if (found.recordOurs() && found.generationThere()) {
            ops.add(new Store.Op.Write(path, Json.write(left(tenure, last)), found.recordVersion()));
        } else if (found.recordVersion() >= 0) {
            ops.add(new Store.Op.Check(path, found.recordVersion())); // the lease is not a successor's
        }
        if (found.leaseOurs()) {
            ops.add(new Store.Op.Delete(tree.lease(slot), -1));
        }
        nodes.store().multi(ops);
    }

    /** The record of a tenure that ended in order, with {@code last} as its last tick. */
    private static SlotRecord left(Tenure tenure, long last) {
        boolean used = last >= tenure.fence().floorTick();
        JsonNode snapshot = used ? tenure.generator().handover().map(Json::tree).orElse(null) : null;
        SlotRecord released = SlotRecord.released(tenure.slot().unit(), last, tenure.nonce());
        return snapshot == null ? released : released.with(tenure.fence().floorTick(), snapshot);
    }
}
