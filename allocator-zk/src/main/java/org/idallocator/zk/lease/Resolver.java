package org.idallocator.zk.lease;

import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Tells by reading back whether a slot is ours: if and only if the record and the lease both carry our nonce and the lease
 * belongs to our session. What an exception says is no evidence: Curator repeats a transaction whose answer was lost, and
 * our own success then comes back as a conflict.
 */
final class Resolver {
    private final Store store;
    private final Tree tree;

    Resolver(Store store, Tree tree) {
        this.store = store;
        this.tree = tree;
    }

    /**
     * What was found.
     *
     * @param lost why the slot is not ours; null when it is
     * @param recordOurs whether the record carries our nonce, so that it is ours to set down
     * @param leaseOurs whether the lease carries our nonce, on whatever session, so that it is ours to delete
     * @param recordVersion the record's version; -1 when there is none
     * @param ceiling what the record reserves; meaningful when it is ours
     * @param generationThere whether the pool still has the generation that the tenure was claimed under
     */
    record Finding(
            @Nullable FenceReason lost,
            boolean recordOurs,
            boolean leaseOurs,
            int recordVersion,
            long ceiling,
            boolean generationThere) {

        boolean ours() {
            return lost == null;
        }

        /** Whether there is anything to give back. */
        boolean anythingOurs() {
            return recordOurs || leaseOurs;
        }
    }

    /**
     * Reads back.
     *
     * @throws RolledBackException when ZooKeeper has lost what the tenure wrote
     */
    Finding find(Tenure tenure) {
        String recordPath = tree.record(tenure.pool(), tenure.slot());
        String leasePath = tree.lease(tenure.pool(), tenure.slot());
        store.sync(recordPath);
        boolean generationThere =
                store.read(tree.generation(tenure.pool(), tenure.generation())).isPresent();
        Optional<Store.Node> record = store.read(recordPath);
        Optional<Store.Node> lease = store.read(leasePath);
        int version = record.map(Store.Node::version).orElse(-1);
        if (version < tenure.recordVersion()) {
            throw new RolledBackException(tenure, recordPath, version);
        }
        Optional<SlotRecord> reserved = record.flatMap(node -> payload(recordPath, node, SlotRecord.class))
                .filter(r -> r.nonce().equals(tenure.nonce()) && !r.released());
        boolean leaseOurs = lease.flatMap(node -> payload(leasePath, node, LeaseNode.class))
                .filter(l -> tenure.nonce().equals(l.nonce()))
                .isPresent();
        return new Finding(
                generationThere
                        ? lost(reserved.isPresent(), leaseOurs, lease, tenure.session())
                        : FenceReason.LAYOUT_CHANGED,
                reserved.isPresent(),
                leaseOurs,
                version,
                reserved.map(SlotRecord::ceiling).orElse(-1L),
                generationThere);
    }

    private static @Nullable FenceReason lost(
            boolean recordOurs, boolean leaseOurs, Optional<Store.Node> lease, long session) {
        if (!recordOurs) {
            return FenceReason.RECORD_TAKEN;
        }
        if (lease.isEmpty()) {
            return FenceReason.LEASE_GONE;
        }
        return leaseOurs && lease.get().owner() == session ? null : FenceReason.LEASE_REPLACED;
    }

    /** A payload that cannot be read is not ours. */
    private static <T> Optional<T> payload(String path, Store.Node node, Class<T> type) {
        try {
            return Optional.of(Json.read(path, node.data(), type));
        } catch (StoreException e) {
            return Optional.empty();
        }
    }
}
