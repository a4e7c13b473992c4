package org.idallocator.zk.lease;

import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.store.Store;
import org.jspecify.annotations.Nullable;

/**
 * Tells by reading back whether a slot is ours. It is ours if and only if record and lease both carry our nonce, the record is as
 * one of our own writes has left it, and the lease belongs to our session. An exception is no evidence: Curator repeats a
 * transaction whose answer was lost, and our own success then comes back as a conflict.
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
     * @param ceiling up to where the record reserves, inclusive; null when the record is not ours to set down, because it
     *     carries another nonce or was released
     * @param record what the record says, whoever wrote it; null when there is none that can be read
     * @param leaseOurs whether the lease is ours to delete: it carries our nonce, on whatever session
     * @param recordVersion the record's version; -1 when there is none
     * @param generationThere whether the pool still has the generation that the tenure was claimed under
     */
    record Resolution(
            @Nullable FenceReason lost,
            @Nullable Long ceiling,
            @Nullable SlotRecord record,
            boolean leaseOurs,
            int recordVersion,
            boolean generationThere) {

        boolean ours() {
            return lost == null;
        }

        boolean recordOurs() {
            return ceiling != null;
        }

        /** Whether the record reserves less than this tick. */
        boolean reservesLess(long last) {
            return record != null && record.ceiling() < last;
        }

        /** Whether another tenure may go on from the record in ticks up to this one. */
        boolean handsOver(long last) {
            Long floor = record == null ? null : record.floor();
            return floor != null && floor <= last;
        }

        /** Whether there is anything to release. */
        boolean anythingOurs() {
            return recordOurs() || leaseOurs;
        }
    }

    /**
     * Reads a tenure's slot back.
     *
     * @throws IncarnationWatch.RolledBackException when ZooKeeper seems to have lost what the tenure wrote
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
            throw new IncarnationWatch.RolledBackException(tenure, recordPath, version);
        }
        // A payload that cannot be read is not ours.
        Optional<SlotRecord> readable = record.flatMap(
                node -> nodes.found(recordPath, node, SlotRecord.class).readable());
        Long ceiling = readable.filter(found -> found.nonce().equals(tenure.nonce()) && !found.released())
                .map(SlotRecord::ceiling)
                .orElse(null);
        boolean leaseOurs = lease.flatMap(
                        node -> nodes.found(leasePath, node, LeaseNode.class).readable())
                .filter(held -> tenure.nonce().equals(held.nonce()))
                .isPresent();
        boolean leftByUs =
                readable.filter(found -> tenure.mayHaveLeft(found, version)).isPresent();
        FenceReason lost = generationThere ? lost(tenure, leftByUs, leaseOurs, lease) : FenceReason.LAYOUT_CHANGED;
        return new Resolution(lost, ceiling, readable.orElse(null), leaseOurs, version, generationThere);
    }

    private static @Nullable FenceReason lost(
            Tenure tenure, boolean leftByUs, boolean leaseOurs, Optional<Store.Node> lease) {
        if (!leftByUs) {
            return FenceReason.RECORD_TAKEN;
        }
        if (lease.isEmpty()) {
            return FenceReason.LEASE_GONE;
        }
        return leaseOurs && lease.get().owner() == tenure.session() ? null : FenceReason.LEASE_REPLACED;
    }
}
