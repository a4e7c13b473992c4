package org.idallocator.zk.lease;

import java.util.List;
import org.idallocator.zk.node.Nodes;

/**
 * Reads all slots back after a watched node has changed, or after another slot was claimed, and watches their nodes anew. Any
 * thread may ask for it; the rest belongs to the lease loop's thread.
 */
final class Verification {
    private final Nodes nodes;
    private final Keepers keepers;
    private final Renewer renewer;
    private volatile boolean asked;

    Verification(Nodes nodes, Keepers keepers, Renewer renewer) {
        this.nodes = nodes;
        this.keepers = keepers;
        this.renewer = renewer;
    }

    /** The next {@link #verifyIfAsked} reads everything back. May be called from any thread. */
    void ask() {
        asked = true;
    }

    boolean isAsked() {
        return asked;
    }

    /**
     * Trips the fences of tenures whose slots are not ours any more.
     *
     * <p>Where this throws, whatever it is, the verification stays asked for.
     *
     * @param between what is to be done after each tenure: many of them take long where ZooKeeper answers slowly
     * @throws org.idallocator.zk.store.StoreException when ZooKeeper does not answer
     * @throws RolledBackException when ZooKeeper seems to have lost what a tenure wrote
     */
    void verifyIfAsked(Runnable between) {
        if (!asked) {
            return;
        }
        asked = false; // first: what changes from here on asks again
        try {
            verify(between);
        } catch (RuntimeException e) {
            asked = true;
            throw e;
        }
    }

    /** Watches before it reads: so no change falls between the two. */
    private void verify(Runnable between) {
        nodes.store().watch(List.of(nodes.tree().meta()));
        for (Tenure tenure : keepers.tenures()) {
            nodes.store()
                    .watch(List.of(
                            nodes.tree().lease(tenure.slot()), nodes.tree().layout(tenure.pool())));
            renewer.resolve(tenure);
            between.run();
        }
    }
}
