package org.idallocator.zk.lease;

import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.stream.Collectors;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.simulation.Holder;
import org.idallocator.zk.store.SimulatedZooKeeper.Znode;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.testing.SmallPool;

/** The real thing: a {@link LeaseLoop} and its keepers. */
public final class LeasedHolder implements Holder {
    private final Tree tree;
    private final List<SlotKeeper> keepers;
    private final LeaseLoop loop;

    public LeasedHolder(Store store, Clock clock, AllocatorSettings settings, Random random) {
        tree = new Tree(settings.zookeeper().root());
        keepers = settings.schemes().stream()
                .map(scheme -> keeper(scheme, clock, settings))
                .toList();
        loop = new LeaseLoop(store, clock, settings, keepers, random);
    }

    private static SlotKeeper keeper(Scheme<?> scheme, Clock clock, AllocatorSettings settings) {
        return new SlotKeeper(scheme, scheme.pool().orElseThrow(), clock, settings.maxWait());
    }

    @Override
    public long step() {
        return loop.step();
    }

    @Override
    public List<Serving> serving() {
        return keepers.stream()
                .flatMap(keeper -> keeper.tenure().map(tenure -> serving(keeper, tenure)).stream())
                .toList();
    }

    private Serving serving(SlotKeeper keeper, Tenure tenure) {
        return new Serving(
                (SmallPool<?>) keeper.scheme(),
                tenure.slot().number(),
                tenure.nonce(),
                tree.lease(tenure.slot()),
                tenure.fence(),
                tenure.generator());
    }

    @Override
    public void sessionLost() {
        loop.sessionLost();
    }

    @Override
    public void changed() {
        loop.verifySoon();
    }

    @Override
    public boolean close() {
        try {
            loop.close();
            return loop.closed();
        } catch (StoreException e) {
            return loop.closed();
        }
    }

    /** Whether, of every scheme, a tenure serves whose record is older in this backup than what it wrote. */
    public boolean notices(NavigableMap<String, Znode> backup) {
        return keepers.stream()
                .allMatch(keeper -> keeper.pool().longestTenure().isEmpty()
                        && keeper.tenure().filter(t -> isOlder(backup, t)).isPresent());
    }

    private boolean isOlder(NavigableMap<String, Znode> backup, Tenure tenure) {
        Znode record = backup.get(tree.record(tenure.slot()));
        return record == null || record.version() < tenure.recordVersion();
    }

    /** Why schemes are not served. */
    public List<FencedException> refusals() {
        return keepers.stream()
                .flatMap(keeper -> keeper.status(tree).fenced().stream())
                .toList();
    }

    /** The state of each scheme. */
    @Override
    public String toString() {
        return keepers.stream().map(keeper -> "\n  " + describe(keeper)).collect(Collectors.joining());
    }

    private String describe(SlotKeeper keeper) {
        SchemeStatus status = keeper.status(tree);
        return status.scheme()
                + status.fenced().map(e -> " fenced: " + e.getMessage()).orElse(" serves")
                + status.slot().map(held -> ", " + held).orElse("");
    }
}
