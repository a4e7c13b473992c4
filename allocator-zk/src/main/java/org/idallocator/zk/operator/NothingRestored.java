package org.idallocator.zk.operator;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.Incarnations;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.era.Pools;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.PoolTree;
import org.idallocator.zk.znode.Vouch;
import org.idallocator.zk.znode.Znodes;

/**
 * An operator's promise that no backup of ZooKeeper has come back: whoever waits for that, because windows are long and no replica could
 * say so after an outage, waits no longer. Where the promise is wrong, IDs may be equal.
 */
public final class NothingRestored {
    private NothingRestored() {}

    /**
     * Vouches, on a connection of the command's own. Replicas that wait find it within seconds. A replica that reaches ZooKeeper much later
     * does not believe it any more.
     *
     * @return the pools for which this vouches
     * @throws org.idallocator.core.fence.FencedException {@code META_GONE}, or {@code CLOCK_SKEW} when ZooKeeper's clock is not this
     *     machine's; nothing was done
     * @throws UnreachableException when ZooKeeper does not answer, or does not accept what is written
     */
    public static List<String> promise(AllocatorSettings settings) {
        return OperatorAccess.run(settings, NothingRestored::promise);
    }

    /** The same, on an open store. */
    static List<String> promise(OperatorAccess access) {
        Znodes nodes = access.nodes();
        nodes.store().sync(nodes.tree().root());
        Incarnation meta = Incarnations.present(nodes);
        LeaderClock leaderClock = access.newLeaderClock();
        var unused = leaderClock.askTimeToBegin(nodes); // a clock that is wrong would look like one that is right
        List<PoolTree> pools = new Pools(nodes).all();
        Optional<Vouch> vouch = leaderClock.vouch().map(heard -> new Vouch(Instant.EPOCH, heard.heard()));
        List<Store.Op> ops = meta.checks(nodes.tree());
        pools.forEach(
                pool -> ops.add(Znodes.over(pool.vouch(), nodes.find(pool.vouch(), Vouch.class), vouch.orElseThrow())));
        nodes.store()
                .send(Transaction.of(ops))
                .requireApplied(nodes.tree().meta() + " was written by somebody else meanwhile; nothing was done");
        return pools.stream().map(PoolTree::path).toList();
    }
}
