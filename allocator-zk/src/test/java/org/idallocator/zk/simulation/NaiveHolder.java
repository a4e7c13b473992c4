package org.idallocator.zk.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.testing.SmallPool;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.Tree;

/**
 * How most allocators hold a worker ID: by an EPHEMERAL node, until the client says LOST. This holder has no record,
 * floor, ceiling or deadline. It is here to be caught: a simulation that finds no duplicates with it proves nothing.
 */
final class NaiveHolder implements Holder {
    private static final long CHECK_NANOS = 500_000_000;

    private final Store store;
    private final Tree tree;
    private final Clock clock;
    private final Random random;
    private final List<SmallPool<?>> schemes;
    private final List<Serving> serving = new ArrayList<>();
    private final List<Calls> calls;
    private long session;

    NaiveHolder(Store store, Clock clock, AllocatorSettings settings, Random random) {
        this.store = store;
        this.tree = new Tree(settings.zookeeper().root());
        this.clock = clock;
        this.random = random;
        this.schemes = settings.schemes().stream()
                .<SmallPool<?>>map(s -> (SmallPool<?>) s)
                .toList();
        this.calls = schemes.stream()
                .map(scheme -> new Calls(
                        scheme,
                        () -> current(scheme),
                        () -> servingOf(scheme),
                        DrawMutation.NONE,
                        settings.maxWait(),
                        clock))
                .toList();
    }

    private Generator current(SmallPool<?> scheme) {
        return servingOf(scheme).stream()
                .findFirst()
                .orElseThrow(() -> FencedException.of(FenceReason.STARTING, "holds no slot"))
                .generator();
    }

    private List<Serving> servingOf(SmallPool<?> scheme) {
        return serving.stream().filter(held -> held.scheme() == scheme).toList();
    }

    @Override
    public long step() {
        try {
            store.sync(tree.root());
            if (store.session().id() != session) {
                sessionLost();
                session = store.session().id();
            }
            schemes.forEach(this::claimIfMissing);
        } catch (StoreException e) {
            // tried again
        }
        return CHECK_NANOS;
    }

    private void claimIfMissing(SmallPool<?> scheme) {
        if (servingOf(scheme).isEmpty()) {
            SlotPool pool = scheme.pool().orElseThrow();
            store.ensure(tree.leases(pool));
            List<String> held = store.children(tree.leases(pool));
            List<Long> free = LongStream.range(0, pool.size())
                    .filter(slot -> !held.contains(pool.nameOf(slot)))
                    .boxed()
                    .toList();
            if (!free.isEmpty()) {
                claim(scheme, pool, free.get(random.nextInt(free.size())));
            }
        }
    }

    private void claim(SmallPool<?> scheme, SlotPool pool, long slot) {
        String lease = tree.lease(new Slot(scheme, pool, slot));
        Store.Op.Create made = new Store.Op.Create(lease, "", true);
        if (!store.send(Transaction.of(List.of(made))).wasApplied()) {
            return;
        }
        Fence fence = Fence.unbounded(clock, 0, pool.unit().maxTick());
        Generator generator = scheme.open(slot, fence);
        String tenure = lease + " of session " + session;
        serving.add(new Serving(scheme, slot, tenure, lease, fence, generator));
    }

    @Override
    public List<Serving> serving() {
        return List.copyOf(serving);
    }

    @Override
    public List<Calls> calls() {
        return calls;
    }

    @Override
    public void sessionLost() {
        serving.forEach(held -> held.fence().trip(FenceReason.SESSION_LOST, "lost"));
        serving.clear();
    }

    @Override
    public void changed() {
        // it watches nothing
    }

    @Override
    public boolean close() {
        sessionLost();
        return true;
    }
}
