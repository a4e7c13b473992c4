package org.idallocator.zk.lease;

import java.util.ArrayList;
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
     * @throws org.idallocator.zk.store.StoreException when ZooKeeper does not answer
     * @throws RolledBackException when ZooKeeper seems to have lost what a tenure wrote
     */
    void verifyIfAsked() {
        if (!asked) {
            return;
        }
        asked = false; // first: what changes from here on asks again
        try {
            verify();
        } catch (RuntimeException e) {
            asked = true;
            throw e;
        }
    }

    /** Watches before it reads: so no change falls between the two. */
    private void verify() {
        List<Tenure> tenures = keepers.tenures();
        List<String> watched = new ArrayList<>(List.of(nodes.tree().meta()));
        for (Tenure tenure : tenures) {
            watched.add(nodes.tree().lease(tenure.slot()));
            watched.add(nodes.tree().layout(tenure.pool()));
        }
        nodes.store().watch(watched);
        tenures.forEach(renewer::resolve);
    }
}
