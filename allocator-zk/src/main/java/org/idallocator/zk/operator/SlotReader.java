package org.idallocator.zk.operator;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.Epoch;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.LayoutNode;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.node.MetaNode;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.operator.LeaseView.State;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says of slots how they are. The nodes of all slots of a pool are asked for together. What cannot be read becomes one entry of
 * many: the others are shown all the same.
 *
 * @param access what the operator works with
 * @param clockOffset how far the clock is ahead of ZooKeeper's, where somebody has measured that
 */
record SlotReader(OperatorAccess access, Supplier<Optional<Duration>> clockOffset) {
    private static final Logger LOG = LoggerFactory.getLogger(SlotReader.class);

    /** How many nodes are read ahead of those of the slots: meta and layout. */
    private static final int AHEAD = 2;

    /**
     * What slots are judged by.
     *
     * @param micros the time
     * @param floorTick the first tick that any tenure may issue in
     */
    private record Present(long micros, long floorTick) {}

    /** A pool as the layout in ZooKeeper cuts it, and slots of it. */
    private record LaidOut(SlotPool pool, List<LeaseView> slots) {}

    private Nodes nodes() {
        return access.nodes();
    }

    /** One slot, used or not. */
    LeaseView slot(Slot slot) {
        return slots(slot.scheme(), slot.pool(), List.of(slot.name())).slots().get(0);
    }

    /** One slot of which nothing more is known than why. */
    LeaseView unreadable(Slot slot, String why) {
        List<String> paths = List.of(nodes().tree().lease(slot), nodes().tree().record(slot));
        return new Found(slot.name(), paths, List.of()).unreadable(slot.scheme(), why);
    }

    /** The slots of a pool that have a lease or a record, and how many there are of the others. */
    PoolView pool(Scheme<?> scheme, SlotPool configured) {
        Tree tree = nodes().tree();
        TreeSet<String> names = new TreeSet<>();
        long strays = 0;
        for (String parent : List.of(tree.leases(configured), tree.records(configured))) {
            List<String> children = nodes().store().children(parent);
            List<String> found = children.stream()
                    .filter(name -> !Strays.isStray(parent, name))
                    .toList();
            names.addAll(found);
            strays += children.size() - found.size();
        }
        LaidOut read = slots(scheme, configured, List.copyOf(names));
        SlotPool pool = read.pool();
        List<LeaseView> slots = read.slots();
        Map<State, Long> counts = slots.stream()
                .filter(view -> number(pool, view.slot()) >= 0)
                .collect(Collectors.groupingBy(LeaseView::state, Collectors.counting()));
        Function<State, Long> count = state -> counts.getOrDefault(state, 0L);
        long others = pool.size()
                - counts.values().stream().mapToLong(Long::longValue).sum();
        return new PoolView(
                new PoolView.Counts(
                        scheme.name(),
                        pool.size(),
                        count.apply(State.HELD),
                        others + count.apply(State.FREE),
                        count.apply(State.COOLING),
                        count.apply(State.RETIRED),
                        count.apply(State.UNREADABLE),
                        strays),
                slots);
    }

    /** The pool with as many slots as the layout in ZooKeeper says; as it is configured where that cannot be read. */
    private SlotPool asLaidOut(SlotPool pool, String path, Optional<Store.Node> read) {
        return read.flatMap(
                        node -> nodes().found(path, node, LayoutNode.class).readable())
                .map(layout -> layout.layout().path("slots").asLong())
                .filter(slots -> slots > 1)
                .map(pool::ofSize)
                .orElse(pool);
    }

    /** The number of a slot; -1 for a name that is none of the layout. */
    private static long number(SlotPool pool, String name) {
        try {
            return pool.slotOf(name);
        } catch (IllegalArgumentException e) {
            LOG.debug("{} of {} is no slot", name, pool.path(), e);
            return -1;
        }
    }

    private LaidOut slots(Scheme<?> scheme, SlotPool configured, List<String> names) {
        Tree tree = nodes().tree();
        List<String> paths = new ArrayList<>(List.of(tree.meta(), tree.layout(configured)));
        for (String name : names) {
            paths.add(tree.leases(configured) + "/" + name);
            paths.add(tree.records(configured) + "/" + name);
        }
        List<Optional<Store.Node>> read = nodes().store().readAll(paths);
        SlotPool pool = asLaidOut(configured, tree.layout(configured), read.get(1));
        Present present = new Present(micros(read), floorTick(pool.unit(), tree.layout(pool), read));
        List<LeaseView> views = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            int at = AHEAD + 2 * i;
            views.add(view(
                    scheme,
                    pool,
                    new Found(names.get(i), paths.subList(at, at + 2), read.subList(at, at + 2)),
                    present));
        }
        return new LaidOut(pool, views);
    }

    /**
     * The time by ZooKeeper's clock, where it is known how far that is from this one. Else by this one; but it cannot be earlier
     * than what was written last, and holders write every few seconds.
     */
    private long micros(List<Optional<Store.Node>> read) {
        long own = access.clock().micros();
        return clockOffset
                .get()
                .map(offset -> own - offset.toNanos() / 1_000)
                .orElseGet(() -> Math.max(
                        own,
                        read.stream()
                                        .flatMap(Optional::stream)
                                        .mapToLong(Store.Node::leaderMillis)
                                        .max()
                                        .orElse(0)
                                * 1_000));
    }

    /** The first tick above the floors of meta and layout, which are read ahead; 0 where one is missing, or cannot be read. */
    private long floorTick(TickUnit unit, String layoutPath, List<Optional<Store.Node>> read) {
        Optional<Root.Seen> meta = read.get(0)
                .flatMap(node -> nodes()
                        .found(nodes().tree().meta(), node, MetaNode.class)
                        .readable()
                        .map(payload -> new Root.Seen(payload, node.version(), node.leaderMillis())));
        Optional<Layouts.Seen> layout = read.get(1)
                .flatMap(node -> nodes()
                        .found(layoutPath, node, LayoutNode.class)
                        .readable()
                        .map(payload -> new Layouts.Seen(payload, node.version(), node.leaderMillis())));
        return meta.isPresent() && layout.isPresent() ? new Epoch(meta.get(), layout.get()).firstTick(unit) : 0;
    }

    /** What was read of a name below a pool: its paths and its nodes, the lease first. */
    private record Found(String name, List<String> paths, List<Optional<Store.Node>> nodes) {

        LeaseView unreadable(Scheme<?> scheme, String why) {
            return new LeaseView(
                    scheme.name(),
                    name,
                    State.UNREADABLE,
                    null,
                    null,
                    null,
                    null,
                    null,
                    paths.get(0),
                    paths.get(1),
                    why);
        }

        Optional<LeaseNode> lease(Nodes tree) {
            return nodes.get(0)
                    .map(node -> tree.found(paths.get(0), node, LeaseNode.class).get());
        }

        Optional<SlotRecord> record(Nodes tree) {
            return nodes.get(1)
                    .map(node -> tree.found(paths.get(1), node, SlotRecord.class).get());
        }
    }

    private LeaseView view(Scheme<?> scheme, SlotPool pool, Found found, Present present) {
        try {
            pool.slotOf(found.name());
            return view(scheme, pool.unit(), found, present);
        } catch (IllegalArgumentException e) {
            LOG.debug("{} of {} is no slot", found.name(), pool.path(), e);
            return found.unreadable(scheme, "not a slot of this layout: " + e.getMessage());
        } catch (StoreException e) {
            LOG.debug("slot {} of {} cannot be read", found.name(), pool.path(), e);
            return found.unreadable(scheme, String.valueOf(e.getMessage()));
        }
    }

    private LeaseView view(Scheme<?> scheme, TickUnit unit, Found found, Present present) {
        Optional<LeaseNode> lease = found.lease(nodes());
        Optional<SlotRecord> record = found.record(nodes()).filter(payload -> payload.ceiling() >= 0);
        Optional<Instant> through = record.map(SlotRecord::reservedThrough).filter(Instant.EPOCH::isBefore);
        long firstTick = firstTick(record, present);
        State state = lease.isPresent() ? State.HELD : unheld(record, unit, firstTick, present);
        Optional<Instant> freeAt =
                Optional.of(state).filter(State.COOLING::equals).map(cools -> unit.instantAt(firstTick));
        Instant now = Instant.EPOCH.plus(present.micros(), ChronoUnit.MICROS);
        return new LeaseView(
                scheme.name(),
                found.name(),
                state,
                lease.map(LeaseNode::acquiredAt).orElse(null),
                through.orElse(null),
                (state == State.HELD ? through : freeAt)
                        .map(end -> Math.max(0, Duration.between(now, end).toMillis()))
                        .orElse(null),
                freeAt.orElse(null),
                lease.orElse(null),
                found.paths().get(0),
                found.paths().get(1),
                null);
    }

    /** The first tick of a tenure that would claim the slot. Whoever has a snapshot goes on in the ticks that were used. */
    private static long firstTick(Optional<SlotRecord> record, Present present) {
        long afterRecord = record.filter(found -> found.snapshot() == null)
                .map(found -> found.ceiling() + 1)
                .orElse(0L);
        return Math.max(afterRecord, present.floorTick());
    }

    private static State unheld(Optional<SlotRecord> record, TickUnit unit, long firstTick, Present present) {
        if (record.filter(found -> found.usedUp(unit)).isPresent()) {
            return State.RETIRED;
        }
        return firstTick > unit.tickAt(present.micros()) ? State.COOLING : State.FREE;
    }
}
