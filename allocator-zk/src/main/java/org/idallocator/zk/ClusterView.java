package org.idallocator.zk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
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
        return new LeaseView(
                scheme.name(),
                pool.nameOf(slot),
                lease.isPresent() ? LeaseView.State.HELD : unheld(record, pool.unit()),
                lease.orElse(null),
                record.map(SlotRecord::reservedThrough).orElse(null));
    }

    private LeaseView.State unheld(Optional<SlotRecord> record, TickUnit unit) {
        if (record.filter(r -> r.usedUp(unit)).isPresent()) {
            return LeaseView.State.RETIRED;
        }
        long now = unit.tickAt(clock.micros());
        boolean ahead =
                record.filter(r -> r.snapshot() == null && r.ceiling() >= now).isPresent();
        return ahead ? LeaseView.State.COOLING : LeaseView.State.FREE;
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

    /**
     * Takes a slot out of the pool for good: nobody can claim it any more, and who holds it loses it. For a slot whose record
     * nobody trusts, or that is to be used elsewhere. There is no way back, because that would lower a ceiling.
     *
     * @return false when somebody else wrote the record or the lease meanwhile, and nothing was done
     */
    public boolean retire(Scheme<?> scheme, long slot) {
        SlotPool pool = scheme.pool().orElseThrow();
        String record = tree.record(pool, slot);
        String retired = Json.write(SlotRecord.retired(pool.unit()));
        return asking(() -> {
            List<Store.Op> ops = new ArrayList<>();
            ops.add(store.read(record)
                    .<Store.Op>map(node -> new Store.Op.Write(record, retired, node.version()))
                    .orElse(new Store.Op.Create(record, retired, false)));
            store.read(tree.lease(pool, slot))
                    .ifPresent(node -> ops.add(new Store.Op.Delete(tree.lease(pool, slot), node.version())));
            return done(ops);
        });
    }

    private boolean done(List<Store.Op> ops) {
        try {
            store.multi(ops);
            return true;
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.CONFLICT) {
                return false;
            }
            throw e;
        }
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
