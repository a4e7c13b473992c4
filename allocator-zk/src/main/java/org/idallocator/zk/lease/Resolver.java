package org.idallocator.zk.lease;

import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * Tells by reading back whether a slot is ours: if and only if the record and the lease both carry our nonce and the lease
 * belongs to our session. What an exception says is no evidence: Curator repeats a transaction whose answer was lost, and
 * our own success then comes back as a conflict.
 */
final class Resolver {
    private final Nodes nodes;

    Resolver(Nodes nodes) {
        this.nodes = nodes;
    }

    /**
     * What was read back of a tenure's slot.
     *
     * @param lost why the slot is not ours; null when it is
     * @param ceiling what the record reserves; null when it does not carry our nonce, so that it is not ours to set down
     * @param leaseOurs whether the lease carries our nonce, on whatever session, so that it is ours to delete
     * @param recordVersion the record's version; -1 when there is none
     * @param generationThere whether the pool still has the generation that the tenure was claimed under
     */
    record Resolution(
            @Nullable FenceReason lost,
            @Nullable Long ceiling,
            boolean leaseOurs,
            int recordVersion,
            boolean generationThere) {

        boolean ours() {
            return lost == null;
        }

        boolean recordOurs() {
            return ceiling != null;
        }

        /** Whether there is anything to give back. */
        boolean anythingOurs() {
            return recordOurs() || leaseOurs;
        }
    }

    /**
     * Reads back.
     *
     * @throws RolledBackException when ZooKeeper has lost what the tenure wrote
     */
    Resolution resolve(Tenure tenure) {
        Slot slot = tenure.slot();
        String recordPath = nodes.tree().record(slot);
        String leasePath = nodes.tree().lease(slot);
        Store store = nodes.store();
        store.sync(recordPath);
        boolean generationThere = nodes.exists(nodes.tree().generation(slot.pool(), tenure.generation()));
        Optional<Store.Node> record = store.read(recordPath);
        Optional<Store.Node> lease = store.read(leasePath);
        int version = record.map(Store.Node::version).orElse(-1);
        if (version < tenure.recordVersion()) {
            throw new RolledBackException(tenure, recordPath, version);
        }
        // A payload that cannot be read is not ours.
        Long ceiling = record.flatMap(node -> Json.readable(recordPath, node.data(), SlotRecord.class))
                .filter(reserved -> reserved.nonce().equals(tenure.nonce()) && !reserved.released())
                .map(SlotRecord::ceiling)
                .orElse(null);
        boolean leaseOurs = lease.flatMap(node -> Json.readable(leasePath, node.data(), LeaseNode.class))
                .filter(held -> tenure.nonce().equals(held.nonce()))
                .isPresent();
        FenceReason lost =
                generationThere ? lost(tenure, ceiling != null, leaseOurs, lease) : FenceReason.LAYOUT_CHANGED;
        return new Resolution(lost, ceiling, leaseOurs, version, generationThere);
    }

    private static @Nullable FenceReason lost(
            Tenure tenure, boolean recordOurs, boolean leaseOurs, Optional<Store.Node> lease) {
        if (!recordOurs) {
            return FenceReason.RECORD_TAKEN;
        }
        if (lease.isEmpty()) {
            return FenceReason.LEASE_GONE;
        }
        return leaseOurs && lease.get().owner() == tenure.session() ? null : FenceReason.LEASE_REPLACED;
    }
}
