package org.idallocator.zk.operator;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.idallocator.core.clock.TickUnit;
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
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.operator.LeaseView.State;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slots of a pool, by nodes that were read together. What cannot be read becomes one entry of many: the others are shown all the
 * same.
 */
final class PoolReading {
    private static final Logger LOG = LoggerFactory.getLogger(PoolReading.class);

    private final Nodes nodes;
    private final Map<String, Store.Node> read;
    private final Scheme<?> scheme;
    private final Optional<Layouts.Seen> layout;
    private final SlotPool pool;
    private final long micros;
    private final long floorTick;
    private final List<LeaseView> slots;

    /**
     * @param read the nodes, by their paths
     * @param configured the pool as the settings have it
     * @param names those of the slots, in order; also names that are no slots of the layout
     * @param micros the time
     */
    PoolReading(
            Nodes nodes,
            Map<String, Store.Node> read,
            Scheme<?> scheme,
            SlotPool configured,
            List<String> names,
            long micros) {
        this.nodes = nodes;
        this.read = read;
        this.scheme = scheme;
        this.micros = micros;
        this.layout = found(nodes.tree().layout(configured), LayoutNode.class)
                .filter(found -> found.readable().isPresent())
                .map(Layouts.Seen::of);
        this.pool = layout.map(seen -> seen.node().layout().path("slots").asLong())
                .filter(size -> size > 1)
                .map(configured::ofSize)
                .orElse(configured);
        this.floorTick = layout.flatMap(this::epoch)
                .map(epoch -> epoch.firstTick(pool.unit()))
                .orElse(0L);
        this.slots = names.stream().map(this::view).toList();
    }

    private <T> Optional<Nodes.Found<T>> found(String path, Class<T> type) {
        return Optional.ofNullable(read.get(path)).map(node -> nodes.found(path, node, type));
    }

    private Optional<Epoch> epoch(Layouts.Seen generation) {
        return found(nodes.tree().meta(), MetaNode.class)
                .filter(found -> found.readable().isPresent())
                .map(Root.Seen::of)
                .map(meta -> new Epoch(meta, generation));
    }

    /** All slots that were read, in order. */
    List<LeaseView> slots() {
        return slots;
    }

    /** Those that are slots of the layout. */
    private List<LeaseView> ofLayout() {
        return slots.stream().filter(view -> Pools.isSlot(pool, view.slot())).toList();
    }

    /** How many have a lease, as replicas count them: also where it cannot be read. */
    long held() {
        return ofLayout().stream().filter(this::isHeld).count();
    }

    private boolean isHeld(LeaseView slot) {
        return read.containsKey(slot.path());
    }

    /** The others whose records cannot be read: no replica claims them. */
    List<LeaseView> broken() {
        return ofLayout().stream()
                .filter(slot -> slot.state() == State.UNREADABLE && !isHeld(slot))
                .toList();
    }

    boolean isRecorded(LeaseView slot) {
        return read.containsKey(slot.recordPath());
    }

    /**
     * The slots that a replica may claim, now or later, in the order in which they serve: nobody holds them, and they are neither
     * used up nor broken. Of those with neither a lease nor a record, as many as there are, but no more than {@code most}.
     */
    List<LeaseView> claimable(int most) {
        Set<String> used = ofLayout().stream().map(LeaseView::slot).collect(Collectors.toSet());
        Stream<LeaseView> others = LongStream.range(0, pool.size())
                .mapToObj(pool::nameOf)
                .filter(name -> !used.contains(name))
                .limit(most)
                .map(name -> view(name, Optional.empty(), Optional.empty()));
        return Stream.concat(ofLayout().stream(), others)
                .filter(slot -> slot.state() == State.FREE || slot.state() == State.COOLING)
                .sorted(Comparator.comparing(LeaseView::freeAt, Comparator.nullsFirst(Comparator.naturalOrder())))
                .toList();
    }

    /** How many slots a replica can claim, now or later. */
    long left() {
        return view().counts().free() + view().counts().cooling();
    }

    /** What operators are shown of the pool. */
    PoolView view() {
        Map<State, Long> counts =
                ofLayout().stream().collect(Collectors.groupingBy(LeaseView::state, Collectors.counting()));
        counts.merge(unheld(Optional.empty()), pool.size() - ofLayout().size(), Long::sum);
        Function<State, Long> count = state -> counts.getOrDefault(state, 0L);
        return new PoolView(
                new PoolView.Counts(
                        scheme.name(),
                        pool.size(),
                        count.apply(State.HELD),
                        count.apply(State.FREE),
                        count.apply(State.COOLING),
                        count.apply(State.RETIRED),
                        count.apply(State.UNREADABLE)),
                slots);
    }

    private LeaseView view(String name) {
        String lease = nodes.tree().leases(pool) + "/" + name;
        String record = nodes.tree().records(pool) + "/" + name;
        try {
            var unused = pool.slotOf(name);
            return view(
                    name,
                    found(lease, LeaseNode.class).map(Nodes.Found::get),
                    found(record, SlotRecord.class).map(Nodes.Found::get));
        } catch (IllegalArgumentException | StoreException e) {
            LOG.debug("slot {} of {} cannot be read", name, pool.path(), e);
            String why = e instanceof StoreException ? "" : "not a slot of this layout: ";
            return LeaseView.unreadable(scheme.name(), name, lease, record, why + e.getMessage());
        }
    }

    private LeaseView view(String name, Optional<LeaseNode> lease, Optional<SlotRecord> record) {
        State state = lease.isPresent() ? State.HELD : unheld(record);
        Optional<Instant> through = record.filter(found -> found.ceiling() >= 0)
                .map(SlotRecord::reservedThrough)
                .filter(Instant.EPOCH::isBefore);
        Optional<Instant> freeAt =
                state == State.COOLING ? Optional.of(pool.unit().instantAt(firstTick(record))) : Optional.empty();
        Instant now = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        return new LeaseView(
                scheme.name(),
                name,
                state,
                lease.map(LeaseNode::acquiredAt).orElse(null),
                through.orElse(null),
                (state == State.HELD ? through : freeAt)
                        .map(end -> Math.max(0, Duration.between(now, end).toMillis()))
                        .orElse(null),
                freeAt.orElse(null),
                lease.orElse(null),
                nodes.tree().leases(pool) + "/" + name,
                nodes.tree().records(pool) + "/" + name,
                null);
    }

    private State unheld(Optional<SlotRecord> record) {
        if (record.filter(found -> found.usedUp(pool.unit())).isPresent()) {
            return State.RETIRED;
        }
        return firstTick(record) > pool.unit().tickAt(micros) ? State.COOLING : State.FREE;
    }

    /**
     * The first tick of a tenure that would claim a slot with this record. Whoever goes on from a snapshot goes on in the last tick
     * that was used; others begin above what was reserved.
     */
    private long firstTick(Optional<SlotRecord> record) {
        long above = record.map(
                        found -> found.released() && found.snapshot() != null ? found.ceiling() : found.ceiling() + 1)
                .orElseGet(this::unrecordedTick);
        return Math.max(above, floorTick);
    }

    /** Where records were deleted, a slot without one may have been used: then all counts that anybody can have reserved. */
    private long unrecordedTick() {
        Store.Node records = read.get(nodes.tree().records(pool));
        if (layout.isEmpty() || records == null || !records.childrenDeleted()) {
            return 0;
        }
        Terms terms = layout.get().node().terms();
        TickUnit unit = pool.unit();
        return unit.tickAt(micros) + unit.ticksIn(terms.maxClockSkew().plus(terms.ahead())) + 1;
    }
}
