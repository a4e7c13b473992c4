package org.idallocator.zk;

import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
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
     * @param named whether record and lease carry our nonce, on whatever session: then the slot is ours to give back
     * @param recordVersion the record's version; -1 when there is none
     * @param ceiling what the record reserves; meaningful when the slot is ours
     */
    record Finding(@Nullable FenceReason lost, boolean named, int recordVersion, long ceiling) {

        boolean ours() {
            return lost == null;
        }

        private static Finding lost(FenceReason reason, int recordVersion) {
            return new Finding(reason, false, recordVersion, -1);
        }
    }

    Finding find(Tenure tenure) {
        String nonce = tenure.nonce();
        String recordPath = tree.record(tenure.pool(), tenure.slot());
        store.sync(recordPath);
        Optional<Store.Node> record = store.read(recordPath);
        if (record.isEmpty()) {
            return Finding.lost(FenceReason.RECORD_TAKEN, -1);
        }
        int version = record.get().version();
        Optional<SlotRecord> reserved = payload(recordPath, record.get(), SlotRecord.class)
                .filter(r -> r.nonce().equals(nonce) && !r.released());
        if (reserved.isEmpty()) {
            return Finding.lost(FenceReason.RECORD_TAKEN, version);
        }
        String leasePath = tree.lease(tenure.pool(), tenure.slot());
        Optional<Store.Node> lease = store.read(leasePath);
        if (lease.isEmpty()) {
            return Finding.lost(FenceReason.LEASE_GONE, version);
        }
        boolean named = payload(leasePath, lease.get(), LeaseNode.class)
                .filter(l -> nonce.equals(l.nonce()))
                .isPresent();
        boolean ours = named && lease.get().owner() == tenure.session();
        return new Finding(
                ours ? null : FenceReason.LEASE_REPLACED,
                named,
                version,
                reserved.get().ceiling());
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
