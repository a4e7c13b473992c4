package org.idallocator.zk.operator;

import java.time.Instant;
import java.util.List;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.Incarnations;
import org.idallocator.zk.era.Pools;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.LayoutNode;
import org.idallocator.zk.znode.PoolTree;
import org.idallocator.zk.znode.Vouch;
import org.idallocator.zk.znode.Znodes;

/**
 * An operator's promise that no backup of ZooKeeper has come back: whoever waits for that, because windows are long and
 * no replica could say so after an outage, waits no longer. Where the promise is wrong, IDs may be equal.
 */
public final class NothingRestored {
    private NothingRestored() {}

    /**
     * Vouches, on a connection of the command's own. Replicas that wait find it within seconds. A replica that reaches
     * ZooKeeper much later does not believe it any more.
     *
     * @param since no backup has come back since that time
     * @throws RefusedException when something may still be reserved that was reserved before that time, by the longest
     *     window that this configuration or a layout has, or when there is no pool; nothing was done
     * @throws org.idallocator.core.fence.FencedException {@code META_GONE}, or {@code CLOCK_SKEW} when ZooKeeper's
     *     clock is not this machine's; nothing was done
     * @throws UnreachableException when ZooKeeper does not answer, or does not accept what is written
     */
    public static void promise(AllocatorSettings settings, Instant since) {
        var unused = OperatorAccess.run(settings, access -> promise(access, since));
    }

    /** The same, on an open store; returns what replicas find there. */
    static Vouch promise(OperatorAccess access, Instant since) {
        Znodes nodes = access.nodes();
        nodes.store().sync(nodes.tree().root());
        Incarnation meta = Incarnations.present(nodes);
        List<PoolTree> pools = new Pools(nodes).all();
        if (pools.isEmpty()) {
            throw new RefusedException(nodes.tree().root() + " has no pool yet; nothing was done");
        }
        Terms longest = pools.stream()
                .flatMap(
                        pool -> nodes.find(pool.layout(), LayoutNode.class).flatMap(Znodes.Found::replaceable).stream())
                .map(LayoutNode::terms)
                .reduce(access.settings().terms(), Terms::orLarger);
        Instant now = access.newLeaderClock().askTimeToBegin(nodes);
        Instant needed = now.minus(longest.lead());
        if (since.isAfter(needed)) {
            throw new RefusedException("with a window of " + longest.window().toMillis()
                    + " ms, what was reserved after "
                    + needed + " may not be past: promise that no backup came back since then; promised is since "
                    + since
                    + "; nothing was done");
        }
        Vouch vouch = new Vouch(since, now);
        List<Store.Op> ops = meta.checks(nodes.tree());
        pools.forEach(pool -> ops.add(Znodes.over(pool.vouch(), nodes.find(pool.vouch(), Vouch.class), vouch)));
        nodes.store()
                .send(Transaction.of(ops))
                .requireApplied(nodes.tree().meta() + " was written by somebody else meanwhile; nothing was done");
        return vouch;
    }
}
