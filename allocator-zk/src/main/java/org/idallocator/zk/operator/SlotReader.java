package org.idallocator.zk.operator;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.Epoch;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Pools;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.LayoutNode;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.node.MetaNode;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.operator.LeaseView.State;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says of slots how they are, to people and to the doctor. The nodes of all slots of a pool are asked for together. What cannot be
 * read becomes one entry of many: the others are shown all the same.
 */
final class SlotReader {
    private static final Logger LOG = LoggerFactory.getLogger(SlotReader.class);

    /** A slot's name in whatever layout. Nodes of other names are nobody's slots, and left out. */
    private static final Pattern NAME = Pattern.compile("[0-9A-Fa-f]{1,13}");

    private final Nodes nodes;
    private final Tree tree;
    private final Clock clock;
    private final Supplier<Optional<Duration>> clockOffset;

    /** {@code clockOffset} is how far the clock is ahead of ZooKeeper's, where somebody has measured that. */
    SlotReader(OperatorAccess access, Supplier<Optional<Duration>> clockOffset) {
        this.nodes = access.nodes();
        this.tree = nodes.tree();
        this.clock = access.clock();
        this.clockOffset = clockOffset;
    }

    /** One slot, used or not. */
    LeaseView slot(Slot slot) {
        return new Reading(slot.scheme(), slot.pool(), Set.of(slot.name())).view(slot.name());
    }

    /** The slots of a pool that have a lease or a record, and how many there are of the others. */
    PoolView pool(Scheme<?> scheme, SlotPool configured) {
        Set<String> names = Stream.of(tree.leases(configured), tree.records(configured))
                .flatMap(parent -> nodes.store().children(parent).stream())
                .filter(name -> NAME.matcher(name).matches())
                .collect(Collectors.toCollection(TreeSet::new));
        Reading reading = new Reading(scheme, configured, names);
        List<LeaseView> slots = names.stream().map(reading::view).toList();
        return new PoolView(reading.counts(slots), slots);
    }

    /** The nodes of a pool, read together, and what slots are judged by. */
    private final class Reading {
        private final String scheme;
        private final Map<String, Store.Node> read = new HashMap<>();
        private final SlotPool pool;
        private final long micros;
        private final long floorTick;
        private final long unrecordedTick;

        Reading(Scheme<?> scheme, SlotPool configured, Set<String> names) {
            List<String> paths =
                    new ArrayList<>(List.of(tree.meta(), tree.layout(configured), tree.records(configured)));
            for (String name : names) {
                paths.add(tree.leases(configured) + "/" + name);
                paths.add(tree.records(configured) + "/" + name);
            }
            List<Optional<Store.Node>> answers = nodes.store().readAll(paths);
            for (int i = 0; i < paths.size(); i++) {
                String path = paths.get(i);
                answers.get(i).ifPresent(node -> read.put(path, node));
            }
            Optional<Layouts.Seen> layout =
                    readable(tree.layout(configured), LayoutNode.class).map(Layouts.Seen::of);
            this.scheme = scheme.name();
            this.pool = layout.map(seen -> seen.node().layout().path("slots").asLong())
                    .filter(size -> size > 1)
                    .map(configured::ofSize)
                    .orElse(configured);
            this.micros = micros();
            this.floorTick = floorTick(layout);
            this.unrecordedTick =
                    layout.map(seen -> unrecordedTick(seen.node().terms())).orElse(0L);
        }

        private <T> Optional<Nodes.Found<T>> found(String path, Class<T> type) {
            return Optional.ofNullable(read.get(path)).map(node -> nodes.found(path, node, type));
        }

        private <T> Optional<Nodes.Found<T>> readable(String path, Class<T> type) {
            return found(path, type).filter(node -> node.readable().isPresent());
        }

        /**
         * The time by ZooKeeper's clock, where it is known how far that is from this one. Else by this one; but it cannot be earlier
         * than what was written last, and holders write every few seconds.
         */
        private long micros() {
            long own = clock.micros();
            return clockOffset
                    .get()
                    .map(offset -> own - offset.toNanos() / 1_000)
                    .orElseGet(() -> read.values().stream()
                            .mapToLong(node -> node.leaderMillis() * 1_000)
                            .reduce(own, Math::max));
        }

        private long tick() {
            return pool.unit().tickAt(micros);
        }

        /** The first tick that any tenure may issue in, above the floors of meta and layout; 0 where one of them cannot be read. */
        private long floorTick(Optional<Layouts.Seen> layout) {
            return readable(tree.meta(), MetaNode.class)
                    .flatMap(meta -> layout.map(seen -> new Epoch(Root.Seen.of(meta), seen).firstTick(pool.unit())))
                    .orElse(0L);
        }

        /** Where records were deleted, a slot without one may have been used: then all counts that anybody can have reserved. */
        private long unrecordedTick(Terms terms) {
            Store.Node records = read.get(tree.records(pool));
            return records != null && records.childrenDeleted()
                    ? tick() + pool.unit().ticksIn(terms.maxClockSkew().plus(terms.ahead())) + 1
                    : 0;
        }

        /** How many slots of the layout are in which state. */
        PoolView.Counts counts(List<LeaseView> slots) {
            Map<State, Long> counts = slots.stream()
                    .filter(slot -> Pools.isSlot(pool, slot.slot()))
                    .collect(Collectors.groupingBy(LeaseView::state, Collectors.counting()));
            long others = pool.size()
                    - counts.values().stream().mapToLong(Long::longValue).sum();
            counts.merge(floorTick > tick() ? State.COOLING : State.FREE, others, Long::sum);
            Function<State, Long> count = state -> counts.getOrDefault(state, 0L);
            return new PoolView.Counts(
                    scheme,
                    pool.size(),
                    count.apply(State.HELD),
                    count.apply(State.FREE),
                    count.apply(State.COOLING),
                    count.apply(State.RETIRED),
                    count.apply(State.UNREADABLE));
        }

        LeaseView view(String name) {
            String path = tree.leases(pool) + "/" + name;
            String recordPath = tree.records(pool) + "/" + name;
            try {
                var unused = pool.slotOf(name);
                return view(path, recordPath, name);
            } catch (IllegalArgumentException | StoreException e) {
                LOG.debug("slot {} of {} cannot be read", name, pool.path(), e);
                String why = e instanceof StoreException ? "" : "not a slot of this layout: ";
                return LeaseView.unreadable(scheme, name, path, recordPath, why + e.getMessage());
            }
        }

        private LeaseView view(String path, String recordPath, String name) {
            LeaseNode lease = found(path, LeaseNode.class).map(Nodes.Found::get).orElse(null);
            Optional<SlotRecord> record = found(recordPath, SlotRecord.class).map(Nodes.Found::get);
            State state = lease == null ? unheld(record) : State.HELD;
            Instant since = lease == null ? null : lease.acquiredAt();
            Instant through = record.filter(found -> found.ceiling() >= 0)
                    .map(SlotRecord::reservedThrough)
                    .filter(Instant.EPOCH::isBefore)
                    .orElse(null);
            Instant freeAt = state == State.COOLING ? pool.unit().instantAt(firstTick(record)) : null;
            Instant end = state == State.HELD ? through : freeAt;
            Instant now = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
            Long left =
                    end == null ? null : Math.max(0, Duration.between(now, end).toMillis());
            return new LeaseView(scheme, name, state, since, through, left, freeAt, lease, path, recordPath, null);
        }

        private State unheld(Optional<SlotRecord> record) {
            if (record.filter(found -> found.usedUp(pool.unit())).isPresent()) {
                return State.RETIRED;
            }
            return firstTick(record) > tick() ? State.COOLING : State.FREE;
        }

        /**
         * The first tick of a tenure that would claim a slot with this record. Whoever goes on from a snapshot goes on in the last tick
         * that was used; others begin above what was reserved.
         */
        private long firstTick(Optional<SlotRecord> record) {
            long above = record.map(found ->
                            found.released() && found.snapshot() != null ? found.ceiling() : found.ceiling() + 1)
                    .orElse(unrecordedTick);
            return Math.max(above, floorTick);
        }
    }
}
