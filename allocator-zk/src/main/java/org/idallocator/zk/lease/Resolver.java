package org.idallocator.zk.lease;

import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes;
import org.jspecify.annotations.Nullable;

/**
 * Tells by reading back whether a slot is ours. It is ours if and only if the record is one of our own writes, by its bits, and the
 * lease carries our nonce and belongs to our session.
 *
 * <p>A record with our nonce and other bits than ours was written by a copy of this process. Setting it down would have the next
 * tenure issue what the copy has issued.
 */
record Resolver(Znodes nodes) {
    /**
     * What was read back of a tenure's slot.
     *
     * @param lost why the slot is not ours; null when it is
     * @param recordOurs whether the record is ours to set down: it carries our nonce, was not released, and no copy wrote it
     * @param record what the record says, whoever wrote it; null when there is none that can be read
     * @param leaseOurs whether the lease is ours to delete: it carries our nonce, on whatever session
     * @param recordVersion the record's version; -1 when there is none
     * @param generationThere whether the pool still has the generation that the tenure was claimed under
     */
    record Resolution(
            @Nullable FenceReason lost,
            boolean recordOurs,
            @Nullable SlotRecord record,
            boolean leaseOurs,
            int recordVersion,
            boolean generationThere) {

        /** Whether there is anything to release. */
        boolean anythingOurs() {
            return recordOurs || leaseOurs;
        }
    }

    /**
     * Reads a tenure's slot back.
     *
     * @throws IncarnationWatch.RolledBackException when ZooKeeper seems to have lost what the tenure wrote
     */
    Resolution resolve(Tenure tenure) {
        Slot slot = tenure.slot();
        String path = nodes.tree().record(slot);
        nodes.store().sync(path);
        boolean generationThere =
                nodes.exists(nodes.tree().generation(slot.pool(), tenure.claim().generation()));
        Optional<Znodes.Found<SlotRecord>> record = nodes.record(slot);
        Optional<Znodes.Found<LeaseNode>> lease = nodes.lease(slot);
        int version = record.map(Znodes.Found::version).orElse(-1);
        if (version < tenure.recordVersion()) {
            throw new IncarnationWatch.RolledBackException(tenure, path, version);
        }
        // A payload that cannot be read is not ours.
        Optional<SlotRecord> readable = record.flatMap(Znodes.Found::readable);
        boolean recordOurs = readable.filter(found -> found.isOf(tenure.nonce()) && !tenure.wasCopied(found))
                .isPresent();
        boolean leaseOurs = lease.flatMap(Znodes.Found::readable)
                .filter(held -> tenure.nonce().equals(held.nonce()))
                .isPresent();
        boolean leftByUs = readable.filter(tenure::mayHaveLeft).isPresent();
        FenceReason lost = generationThere ? lost(tenure, leftByUs, leaseOurs, lease) : FenceReason.LAYOUT_CHANGED;
        return new Resolution(lost, recordOurs, readable.orElse(null), leaseOurs, version, generationThere);
    }

    private static @Nullable FenceReason lost(
            Tenure tenure, boolean leftByUs, boolean leaseOurs, Optional<Znodes.Found<LeaseNode>> lease) {
        if (!leftByUs) {
            return FenceReason.RECORD_TAKEN;
        }
        if (lease.isEmpty()) {
            return FenceReason.LEASE_GONE;
        }
        return leaseOurs && lease.get().node().owner() == tenure.claim().session() ? null : FenceReason.LEASE_REPLACED;
    }
}
