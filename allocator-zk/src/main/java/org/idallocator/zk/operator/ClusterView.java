package org.idallocator.zk.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.node.MemberNode;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.Connection;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All replicas' leases as ZooKeeper has them. Operators look at them, take a slot away from its holder, and retire slots. Every
 * call asks ZooKeeper, and throws {@link UnreachableException} when ZooKeeper does not answer. A view is no replica: it joins
 * nothing, and looking makes nothing. Thread-safe.
 */
public final class ClusterView implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterView.class);

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int TRIES = 10;

    private final OperatorAccess access;
    private final Nodes nodes;
    private final Store store;
    private final Tree tree;
    private final AllocatorSettings settings;
    private final Clock clock;
    private final Runnable closing;

    private ClusterView(OperatorAccess access, Runnable closing) {
        this.access = access;
        this.nodes = access.nodes();
        this.store = nodes.store();
        this.tree = nodes.tree();
        this.settings = access.settings();
        this.clock = access.clock();
        this.closing = closing;
    }

    /** A view on an open store, which stays open when the view is closed. */
    public static ClusterView on(OperatorAccess access) {
        return new ClusterView(access, () -> {});
    }

    /** A view on a connection of its own, which ends when the view is closed. Waits up to 15 s for ZooKeeper. */
    public static ClusterView connect(AllocatorSettings settings) {
        try {
            Connection connection = Connection.open(settings.zookeeper(), PATIENCE);
            return new ClusterView(new OperatorAccess(connection.store(), Clock.system(), settings), connection::close);
        } catch (StoreException e) {
            throw new UnreachableException(e);
        }
    }

    /** Who holds a slot now, also where the lease cannot be read. */
    public Holder holder(Scheme<?> scheme, long slot) {
        String path = tree.lease(Slot.of(scheme, slot));
        return asking(() -> store.read(path))
                .map(node -> Holder.of(path, node.data()))
                .orElse(Holder.NOBODY);
    }

    /** The slots of all schemes that have a lease or a record. */
    public List<LeaseView> leases() {
        return settings.schemes().stream()
                .flatMap(scheme -> leases(scheme).stream())
                .toList();
    }

    /** The slots of a scheme that have a lease or a record; none for a scheme without slots. */
    public List<LeaseView> leases(Scheme<?> scheme) {
        return asking(() -> scheme.pool().map(pool -> used(scheme, pool)).orElse(List.of()));
    }

    /** One slot, used or not. */
    public LeaseView lease(Scheme<?> scheme, long slot) {
        return asking(() -> view(Slot.of(scheme, slot)));
    }

    private List<LeaseView> used(Scheme<?> scheme, SlotPool pool) {
        Set<String> names = new TreeSet<>(store.children(tree.leases(pool)));
        names.addAll(store.children(tree.records(pool)));
        return names.stream().map(name -> used(scheme, pool, name)).toList();
    }

    /** What cannot be read becomes one line of many: the others are shown all the same. */
    private LeaseView used(Scheme<?> scheme, SlotPool pool, String name) {
        try {
            return view(new Slot(scheme, pool, pool.slotOf(name)));
        } catch (IllegalArgumentException e) {
            LOG.debug("{} of {} is no slot", name, pool.path(), e);
            return LeaseView.unreadable(scheme.name(), name, "not a slot of this layout: " + e.getMessage());
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.MALFORMED) {
                throw e;
            }
            LOG.debug("slot {} of {} cannot be read", name, pool.path(), e);
            return LeaseView.unreadable(scheme.name(), name, String.valueOf(e.getMessage()));
        }
    }

    private LeaseView view(Slot slot) {
        Optional<LeaseNode> lease = nodes.lease(slot).map(Nodes.Read::payload);
        Optional<SlotRecord> record =
                nodes.record(slot).map(Nodes.Read::payload).filter(found -> found.ceiling() >= 0);
        return new LeaseView(
                slot.scheme().name(),
                slot.name(),
                lease.isPresent() ? LeaseView.State.HELD : unheld(record, slot.unit()),
                lease.orElse(null),
                record.map(SlotRecord::reservedThrough)
                        .filter(Instant.EPOCH::isBefore)
                        .orElse(null),
                null);
    }

    private LeaseView.State unheld(Optional<SlotRecord> record, TickUnit unit) {
        if (record.filter(found -> found.usedUp(unit)).isPresent()) {
            return LeaseView.State.RETIRED;
        }
        long now = unit.tickAt(clock.micros());
        boolean ahead = record.filter(found -> found.snapshot() == null && found.ceiling() >= now)
                .isPresent();
        return ahead ? LeaseView.State.COOLING : LeaseView.State.FREE;
    }

    /**
     * Takes a slot away from its holder, who fences itself and claims another slot. What the tenure reserved stays reserved,
     * unless the holder notices and sets the record down to the last tick that it used: the next tenure starts above what the
     * record says. Only the tenure of this nonce loses its lease; a tenure that follows meanwhile is not touched.
     *
     * @param nonce names the tenure
     */
    public Outcome takeAway(Scheme<?> scheme, long slot, String nonce) {
        return asking(() -> {
            for (int i = 0; i < TRIES; i++) {
                Optional<Outcome> outcome = takenAway(Slot.of(scheme, slot), nonce);
                if (outcome.isPresent()) {
                    return outcome.get();
                }
            }
            throw new StoreException(
                    StoreException.Kind.CONFLICT, "the slot was renewed again and again meanwhile; try again");
        });
    }

    /**
     * Empty when somebody wrote meanwhile. A lease that was deleted and made again has the same version as before; the record,
     * which every claim writes, has another.
     */
    private Optional<Outcome> takenAway(Slot slot, String nonce) {
        store.sync(tree.lease(slot));
        Optional<Store.Node> record = store.read(tree.record(slot));
        Optional<Nodes.Read<LeaseNode>> lease = nodes.lease(slot);
        if (lease.isEmpty()) {
            return Optional.of(Outcome.GONE_ALREADY);
        }
        if (!lease.get().payload().nonce().equals(nonce)) {
            return Optional.of(Outcome.HELD_BY_ANOTHER);
        }
        List<Store.Op> ops = new ArrayList<>();
        record.ifPresent(found -> ops.add(new Store.Op.Check(tree.record(slot), found.version())));
        ops.add(new Store.Op.Delete(tree.lease(slot), lease.get().version()));
        return store.attempt(ops) ? Optional.of(Outcome.DONE) : Optional.empty();
    }

    /**
     * Takes a slot out of the pool: nobody can claim it any more, and its holder loses it. For a slot whose record nobody trusts,
     * or that is to be used elsewhere. {@link #unretire} puts the slot back. Where nobody has used the pool yet, this makes the
     * pool first, as a replica would.
     *
     * @throws org.idallocator.core.fence.FencedException {@code META_GONE}, {@code LAYOUT_MISMATCH} or {@code ROLLED_BACK}, as
     *     a replica would say, or {@code CLOCK_SKEW} when ZooKeeper's clock is not this machine's; nothing was done
     * @throws UnreachableException when ZooKeeper does not answer, or others wrote the record again and again meanwhile; the
     *     message says so where the slot may be retired all the same
     */
    public Retired retire(Scheme<?> scheme, long slot) {
        return retire(scheme, slot, holder -> true);
    }

    /**
     * The same, unless somebody holds the slot who must not lose it.
     *
     * @param mayLose says so of whoever holds the slot when it is retired; not asked where nobody does
     * @throws RefusedException when somebody else holds the slot; nothing was done
     */
    public Retired retire(Scheme<?> scheme, long slot, Predicate<Holder> mayLose) {
        return asking(() -> new Retirement(access, Slot.of(scheme, slot), mayLose).run());
    }

    /**
     * Puts a retired slot back into its pool. Its next tenure begins above all that was reserved before the slot was retired,
     * and above {@code usedUntil}.
     *
     * @param usedUntil the latest time of any ID that was issued on this slot elsewhere, while it was retired; {@link
     *     Instant#EPOCH} when none was. The caller's promise: an ID from elsewhere with a later time may come again
     * @return the start of the first tick that the next tenure may issue in
     * @throws RefusedException when the slot is not retired, or no time is left; nothing was done
     * @throws org.idallocator.core.fence.FencedException {@code META_GONE}, {@code LAYOUT_MISMATCH} or {@code ROLLED_BACK}, as
     *     a replica would say; nothing was done
     * @throws UnreachableException when ZooKeeper does not answer, or others wrote the record again and again meanwhile; the
     *     message says so where the slot may be back all the same
     */
    public Instant unretire(Scheme<?> scheme, long slot, Instant usedUntil) {
        return asking(() -> new Unretirement(access, Slot.of(scheme, slot), usedUntil).run());
    }

    /** The replicas whose sessions live. */
    public List<MemberNode> members() {
        return asking(() -> store.children(tree.members()).stream()
                .sorted()
                .flatMap(name -> nodes.member(name).map(Nodes.Read::payload).stream())
                .toList());
    }

    private static <T extends @Nullable Object> T asking(Supplier<T> question) {
        try {
            return question.get();
        } catch (StoreException e) {
            throw new UnreachableException(e);
        }
    }

    /** Ends the connection if this view has one of its own. */
    @Override
    public void close() {
        closing.run();
    }
}
