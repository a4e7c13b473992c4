package org.idallocator.zk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.jspecify.annotations.Nullable;

/**
 * All replicas' leases as ZooKeeper has them, for operators. Every call asks ZooKeeper, and throws {@link
 * UnreachableException} when it cannot. Thread-safe.
 */
public final class ClusterView {
    private final Store store;
    private final Tree tree;
    private final List<Scheme<?>> schemes;
    private final Clock clock;

    ClusterView(Store store, Tree tree, List<Scheme<?>> schemes, Clock clock) {
        this.store = store;
        this.tree = tree;
        this.schemes = schemes;
        this.clock = clock;
    }

    /** Who holds a slot now. */
    public Optional<LeaseNode> holder(SlotPool pool, long slot) {
        return asking(() -> lease(pool, slot));
    }

    /** The slots of all schemes that have a lease or a record. */
    public List<LeaseView> leases() {
        return schemes.stream().flatMap(scheme -> leases(scheme).stream()).toList();
    }

    /** The slots of a scheme that have a lease or a record; none for a scheme without slots. */
    public List<LeaseView> leases(Scheme<?> scheme) {
        return asking(() -> scheme.pool().map(pool -> used(scheme, pool)).orElse(List.of()));
    }

    /** One slot, used or not. */
    public LeaseView lease(Scheme<?> scheme, long slot) {
        return asking(() -> view(scheme, scheme.pool().orElseThrow(), slot));
    }

    private List<LeaseView> used(Scheme<?> scheme, SlotPool pool) {
        Set<String> names = new TreeSet<>(store.children(tree.leases(pool)));
        names.addAll(store.children(tree.records(pool)));
        List<LeaseView> views = new ArrayList<>();
        for (String name : names) {
            views.add(view(scheme, pool, pool.slotOf(name)));
        }
        return views;
    }

    private LeaseView view(Scheme<?> scheme, SlotPool pool, long slot) {
        Optional<LeaseNode> lease = lease(pool, slot);
        Optional<SlotRecord> record = record(pool, slot).filter(r -> r.ceiling() >= 0);
        boolean ahead = record.filter(r -> r.ceiling() >= pool.unit().tickAt(clock.micros()))
                .isPresent();
        return new LeaseView(
                scheme.name(),
                pool.nameOf(slot),
                lease.orElse(null),
                record.map(SlotRecord::reservedThrough).orElse(null),
                lease.isEmpty() && ahead);
    }

    private Optional<LeaseNode> lease(SlotPool pool, long slot) {
        return read(tree.lease(pool, slot), LeaseNode.class);
    }

    private Optional<SlotRecord> record(SlotPool pool, long slot) {
        return read(tree.record(pool, slot), SlotRecord.class);
    }

    private <T> Optional<T> read(String path, Class<T> type) {
        return store.read(path).map(node -> Json.read(path, node.data(), type));
    }

    /**
     * Takes a slot away from its holder, who fences itself and claims another. The reservation stays: the next holder
     * starts above it.
     *
     * @param nonce the tenure that is meant
     * @return false when that tenure does not hold the slot (any more), and nothing was done
     */
    public boolean takeAway(Scheme<?> scheme, long slot, String nonce) {
        SlotPool pool = scheme.pool().orElseThrow();
        return asking(() -> {
            if (lease(pool, slot).filter(lease -> lease.nonce().equals(nonce)).isEmpty()) {
                return false;
            }
            store.multi(List.of(new Store.Op.Delete(tree.lease(pool, slot), 0)));
            return true;
        });
    }

    /** The replicas that are there. */
    public List<Member> members() {
        return asking(() -> store.children(tree.members()).stream()
                .sorted()
                .flatMap(name -> read(tree.member(name), Member.class).stream())
                .toList());
    }

    private static <T extends @Nullable Object> T asking(Supplier<T> question) {
        try {
            return question.get();
        } catch (StoreException e) {
            throw new UnreachableException(e);
        }
    }
}
