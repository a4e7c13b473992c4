package org.idallocator.zk;

import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.jspecify.annotations.Nullable;

/**
 * What a replica does when ZooKeeper seems to have lost acknowledged writes: it removes meta, so that nobody goes on under that
 * incarnation, not even a replica that starts now. fence-restore is the way out. Meta goes only in one transaction with the
 * proof, because what was read may have come from a server that is merely behind. Confined to the lease loop's thread.
 */
final class Rollback {
    private final Store store;
    private final Tree tree;
    private @Nullable FencedException proven;

    Rollback(Store store, Tree tree) {
        this.store = store;
        this.tree = tree;
    }

    /** Whether it could be proven what a tenure under {@code meta} found; if not, the next step looks again. */
    boolean proves(RolledBackException found, Root.Seen meta) {
        try {
            store.multi(List.of(
                    proof(found),
                    new Store.Op.Delete(tree.incarnation(meta.node().incarnation()), -1),
                    new Store.Op.Delete(tree.meta(), meta.version())));
            proven = refusal(found);
            return true;
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.CONFLICT) {
                return false;
            }
            throw e;
        }
    }

    static FencedException refusal(RolledBackException found) {
        return Fencing.of(FenceReason.ROLLED_BACK, String.valueOf(found.getMessage()));
    }

    /** A record that is gone is proven to be by making it anew, as it was. */
    private Store.Op proof(RolledBackException found) {
        Tenure witness = found.witness();
        String path = tree.record(witness.pool(), witness.slot());
        return found.version() >= 0
                ? new Store.Op.Check(path, found.version())
                : new Store.Op.Create(path, Json.write(SlotRecord.reserved(witness)), false);
    }

    /** What to tell callers where meta is gone: the cause, if this replica knows it. */
    FencedException explained(FencedException why) {
        FencedException known = proven;
        return known != null && why.reason() == FenceReason.META_GONE ? known : why;
    }

    /** There is a new incarnation. */
    void isOver() {
        proven = null;
    }
}
