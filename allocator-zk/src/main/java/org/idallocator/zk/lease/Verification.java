package org.idallocator.zk.lease;

import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.idallocator.zk.node.Nodes;

/**
 * Reads all slots back after a watched node has changed, or after another slot was claimed, and watches their nodes anew. Any
 * thread may ask for it; the rest belongs to the lease loop's thread.
 */
final class Verification {
    private final Nodes nodes;
    private final Keepers keepers;
    private final Renewer renewer;
    private final Set<Tenure> followed = new HashSet<>();
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
        List<Tenure> tenures = keepers.tenures();
        unfollowAllBut(tenures);
        for (Tenure tenure : tenures) {
            follow(tenure);
            nodes.store()
                    .watch(List.of(
                            nodes.tree().lease(tenure.slot()), nodes.tree().layout(tenure.pool())));
            renewer.resolve(tenure);
            between.run();
        }
    }

    /** A record is followed and not watched: the fence trips when the news of a stranger's write comes, and not a few answers later. */
    private void follow(Tenure tenure) {
        if (!followed.contains(tenure)) {
            nodes.store().follow(nodes.tree().record(tenure.slot()), tenure::recordChanged);
            followed.add(tenure);
        }
    }

    /** First: what follows on the same slot is followed anew. */
    private void unfollowAllBut(List<Tenure> tenures) {
        for (Iterator<Tenure> i = followed.iterator(); i.hasNext(); ) {
            Tenure tenure = i.next();
            if (!tenures.contains(tenure)) {
                nodes.store().unfollow(nodes.tree().record(tenure.slot()));
                i.remove();
            }
        }
    }
}
