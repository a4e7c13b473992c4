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
     * @param recordVersion the record's version; -1 when there is none
     * @param ceiling what the record reserves; meaningful when the slot is ours
     */
    record Finding(@Nullable FenceReason lost, int recordVersion, long ceiling) {

        boolean ours() {
            return lost == null;
        }

        private static Finding lost(FenceReason reason, int recordVersion) {
            return new Finding(reason, recordVersion, -1);
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
        SlotRecord reserved = Json.read(recordPath, record.get().data(), SlotRecord.class);
        int version = record.get().version();
        if (!reserved.nonce().equals(nonce) || reserved.released()) {
            return Finding.lost(FenceReason.RECORD_TAKEN, version);
        }
        FenceReason lost = lease(tree.lease(tenure.pool(), tenure.slot()), nonce, tenure.session());
        return lost == null ? new Finding(null, version, reserved.ceiling()) : Finding.lost(lost, version);
    }

    private @Nullable FenceReason lease(String path, String nonce, long session) {
        Optional<Store.Node> lease = store.read(path);
        if (lease.isEmpty()) {
            return FenceReason.LEASE_GONE;
        }
        boolean ours = lease.get().owner() == session
                && Json.read(path, lease.get().data(), LeaseNode.class).nonce().equals(nonce);
        return ours ? null : FenceReason.LEASE_REPLACED;
    }
}
