package org.idallocator.zk.operator;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotNames;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.era.Era;
import org.idallocator.zk.era.Generation;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.MissingRecords;
import org.idallocator.zk.era.Pools;
import org.idallocator.zk.era.Succession;
import org.idallocator.zk.operator.LeaseView.State;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Answers;
import org.idallocator.zk.znode.LayoutNode;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.MetaNode;
import org.idallocator.zk.znode.PoolTree;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says of the slots of a pool how they are, to people and to the doctor. Their nodes are asked for together. What
 * cannot be read, or may not be, becomes one entry of many: the others are shown all the same.
 */
final class SlotReader {
    private static final Logger LOG = LoggerFactory.getLogger(SlotReader.class);

    private final Answers answers;
    private final PoolTree tree;
    private final Scheme<?> scheme;
    private final SlotPool pool;
    private final Set<String> names;
    private final long micros;
    private final long floorTick;
    private final SlotRecord unrecorded; // what counts for a slot without a record

    /**
     * Says how the slots of these names are, used or not.
     *
     * @param answers what ZooKeeper has of them and of their pool
     * @param tree where everything lives
     * @param micros the time by ZooKeeper's clock, as far as that is known
     */
    private SlotReader(Answers answers, Tree tree, Scheme<?> scheme, Set<String> names, long micros) {
        SlotPool configured = scheme.pool().orElseThrow();
        this.answers = answers;
        this.tree = tree.pool(configured);
        this.scheme = scheme;
        Optional<Generation> layout =
                answers.readable(this.tree.layout(), LayoutNode.class).map(Generation::of);
        this.pool = layout.map(seen -> seen.node().layout().path(SlotPool.SLOTS).asLong())
                .filter(size -> size > 1)
                .map(configured::ofSize)
                .orElse(configured);
        this.names = withoutOtherNamesOfRetiredSlots(names);
        this.micros = micros;
        this.floorTick = answers.readable(tree.meta(), MetaNode.class)
                .flatMap(meta -> layout.map(seen -> new Era(Incarnation.of(meta), seen).firstTick(pool.unit())))
                .orElse(0L);
        this.unrecorded = layout.filter(seen -> MissingRecords.mayHaveBeenUsed(answers.readable(this.tree.records())))
                .map(seen ->
                        MissingRecords.lost(pool.unit(), micros, seen.node().terms()))
                .orElse(SlotRecord.unused());
    }

    /**
     * Reads one slot, used or not.
     *
     * @param clockOffset how far the clock is ahead of ZooKeeper's, where somebody has measured that
     */
    static LeaseView readSlot(OperatorAccess access, Supplier<Optional<Duration>> clockOffset, Slot slot) {
        return read(access, clockOffset, slot.scheme(), Set.of(slot.name())).view(slot.name());
    }

    /** Reads the slots of a pool that have a lease or a record. */
    static SlotReader readPool(OperatorAccess access, Supplier<Optional<Duration>> clockOffset, Scheme<?> scheme) {
        Znodes nodes = access.nodes();
        PoolTree pool = nodes.tree().pool(scheme.pool().orElseThrow());
        Set<String> names = Stream.of(pool.leases(), pool.records())
                .flatMap(parent -> nodes.store().children(parent).stream())
                .filter(SlotNames::mayNameASlot) // others are nobody's slots
                .collect(Collectors.toCollection(TreeSet::new));
        return read(access, clockOffset, scheme, names);
    }

    private static SlotReader read(
            OperatorAccess access, Supplier<Optional<Duration>> clockOffset, Scheme<?> scheme, Set<String> names) {
        Tree tree = access.nodes().tree();
        PoolTree pool = tree.pool(scheme.pool().orElseThrow());
        List<String> ofPool = List.of(tree.meta(), pool.layout(), pool.records());
        List<String> paths = new ArrayList<>(ofPool);
        names.forEach(name -> paths.add(pool.lease(name)));
        names.forEach(name -> paths.add(pool.record(name)));
        Answers answers = access.nodes().readAll(paths);
        ofPool.forEach(path -> answers.forbidden(path).ifPresent(why -> {
            throw why; // without it, slots that cool would look free
        }));
        return new SlotReader(answers, tree, scheme, names, micros(access.clock(), clockOffset, answers));
    }

    /**
     * The time by ZooKeeper's clock, where it is known how far that is from this one. Else by this one; but it cannot
     * be earlier than what was written last, and holders write every few seconds.
     */
    private static long micros(Clock clock, Supplier<Optional<Duration>> clockOffset, Answers answers) {
        long own = clock.micros();
        return clockOffset
                .get()
                .map(offset -> own - offset.toNanos() / 1_000)
                .orElseGet(() -> Math.max(own, answers.lastMillis() * 1_000));
    }

    /**
     * A slot that was retired under layouts with shorter or longer names keeps a record under each of these names.
     * Sorted.
     */
    private Set<String> withoutOtherNamesOfRetiredSlots(Set<String> all) {
        Set<String> retired = all.stream()
                .filter(name -> !isHeld(name))
                .filter(name -> answers.readable(tree.record(name), SlotRecord.class)
                        .filter(record -> record.get().isRetired())
                        .isPresent())
                .collect(Collectors.toSet());
        Set<String> once = new TreeSet<>(all);
        once.removeAll(retired);
        once.addAll(Pools.oneOfEachSlot(retired, name -> Pools.isSlot(pool, name)));
        return once;
    }

    private long tick() {
        return pool.unit().tickAt(micros);
    }

    /** The slots that were read, and how many there are of the others. */
    PoolView pool() {
        List<LeaseView> slots = names.stream().map(this::view).toList();
        Map<State, Long> counts = slots.stream()
                .filter(slot -> Pools.isSlot(pool, slot.slot()))
                .collect(Collectors.groupingBy(LeaseView::state, Collectors.counting()));
        long others = pool.size()
                - counts.values().stream().mapToLong(Long::longValue).sum();
        counts.merge(floorTick > tick() ? State.COOLING : State.FREE, others, Long::sum);
        ToLongFunction<State> count = state -> counts.getOrDefault(state, 0L);
        return new PoolView(
                new PoolView.Counts(
                        scheme.name(),
                        pool.size(),
                        count.applyAsLong(State.HELD),
                        count.applyAsLong(State.FREE),
                        count.applyAsLong(State.COOLING),
                        count.applyAsLong(State.RETIRED),
                        count.applyAsLong(State.UNREADABLE)),
                slots);
    }

    /**
     * Those that a replica may claim, in the order in which they serve; of those that were never used, {@code wanted}
     * at most.
     */
    List<LeaseView> claimable(int wanted) {
        Stream<String> others = LongStream.range(0, pool.size())
                .mapToObj(pool::nameOf)
                .filter(name -> !names.contains(name))
                .limit(wanted);
        return Stream.concat(names.stream(), others)
                .map(this::view)
                .filter(slot -> slot.state() == State.FREE || slot.state() == State.COOLING)
                .sorted(Comparator.comparing(LeaseView::freeAt, Comparator.nullsFirst(Comparator.naturalOrder())))
                .toList();
    }

    /**
     * Writes a slot's record as it was read, and only where nobody has written it since; empty where there was none.
     */
    Optional<Store.Op> writingBack(LeaseView slot) {
        return answers.readable(slot.recordPath())
                .map(record -> new Store.Op.Write(slot.recordPath(), record.data(), record.version()));
    }

    /** Why the first record cannot be read of those that cannot, or may not be, among the slots that nobody holds. */
    Optional<StoreException> fault() {
        return names.stream()
                .filter(name -> Pools.isSlot(pool, name) && !isHeld(name))
                .flatMap(name -> recordFault(tree.record(name)).stream())
                .findFirst();
    }

    private boolean isHeld(String name) {
        return answers.exists(tree.lease(name));
    }

    private Optional<StoreException> recordFault(String path) {
        return answers.forbidden(path)
                .or(() -> answers.found(path, SlotRecord.class).flatMap(Znodes.Found::fault));
    }

    /** Whether any lease or record of a slot may not be read. */
    boolean hasForbidden() {
        return names.stream()
                .filter(name -> Pools.isSlot(pool, name))
                .flatMap(name -> Stream.of(tree.lease(name), tree.record(name)))
                .anyMatch(path -> answers.forbidden(path).isPresent());
    }

    LeaseView view(String name) {
        String path = tree.lease(name);
        String recordPath = tree.record(name);
        try {
            return view(path, recordPath, new Slot(scheme, pool, pool.slotOf(name)));
        } catch (IllegalArgumentException | StoreException e) {
            LOG.debug("slot {} of {} cannot be read", name, pool.path(), e);
            String why = e instanceof StoreException ? "" : "not a slot of this layout: ";
            return LeaseView.unreadable(scheme.name(), name, path, recordPath, why + e.getMessage());
        }
    }

    private LeaseView view(String path, String recordPath, Slot slot) {
        LeaseNode lease =
                answers.found(path, LeaseNode.class).map(Znodes.Found::get).orElse(null);
        Optional<SlotRecord> record =
                answers.found(recordPath, SlotRecord.class).map(Znodes.Found::get);
        State state = lease == null ? unheld(slot, record) : State.HELD;
        Instant since = lease == null ? null : lease.acquiredAt();
        Instant through = record.filter(found -> found.ceiling() >= 0)
                .map(SlotRecord::reservedThrough)
                .filter(Instant.EPOCH::isBefore)
                .orElse(null);
        Instant freeAt = state == State.COOLING ? pool.unit().instantAt(firstTick(slot, record)) : null;
        Instant end = state == State.HELD ? through : freeAt;
        Instant now = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        Long left = end == null ? null : Math.max(0, Duration.between(now, end).toMillis());
        return new LeaseView(
                scheme.name(), slot.name(), state, since, through, left, freeAt, lease, path, recordPath, null);
    }

    private State unheld(Slot slot, Optional<SlotRecord> record) {
        if (record.filter(found -> found.isUsedUp(pool.unit())).isPresent()) {
            return State.RETIRED;
        }
        return firstTick(slot, record) > tick() ? State.COOLING : State.FREE;
    }

    /** The first tick in which a tenure could issue that would claim a slot with this record. */
    private long firstTick(Slot slot, Optional<SlotRecord> record) {
        return Succession.of(slot, record.orElse(unrecorded), floorTick).firstIssued();
    }
}
