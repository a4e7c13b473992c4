package org.idallocator.zk.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.zk.model.Model;
import org.idallocator.zk.model.ModelReader;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.simulation.MonitoredSlot.Present;
import org.idallocator.zk.store.ForwardingStore;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.SimulatedZooKeeper;
import org.idallocator.zk.store.SimulatedZooKeeper.Znode;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Tree;
import org.jspecify.annotations.Nullable;

/**
 * Holds the code to {@code Eras.model}, which has all of {@code SlotLease.model}: takes each step that the real classes
 * take in a {@link Simulation} in the model, too, slot by slot. A step that the model lacks, or whose guard does not
 * hold, is a {@link NoStep}, whether or not it leads to equal IDs.
 *
 * <p>Nothing in the code tells of its steps. What is sent is seen in a store between each process and its client; what
 * is applied, in ZooKeeper; what fences and generators do, by looking at them whenever a thread pauses. Every reading
 * of a clock is a pause, and a generator reads one before each step.
 *
 * <p>Where ZooKeeper loses nothing, all is one era. There the leader's clock may do what it likes, and nobody asks how
 * far ahead anybody reserves.
 */
final class ModelMonitor implements Onlooker {
    static final Model MODEL = ModelReader.read("Eras");

    private static final String RECORDS = "/records/";

    /** A leader that is further off has a wrong clock, by which nobody begins or reserves anything. */
    private static final long FARTHEST_LEADER_MILLIS = 60_000;

    private final boolean disasters;
    private final PoolEras pools = new PoolEras(new Tree("/ids"));
    private final Map<String, MonitoredSlot> slots = new TreeMap<>(); // by the paths of their records
    private final Map<Opening, MonitoredTenure> opened = new HashMap<>();
    private final Map<String, List<Store.Op>> claims = new HashMap<>(); // what was sent to claim, by nonce
    private final Map<String, Integer> counts = new TreeMap<>();
    private @Nullable SimulatedZooKeeper zookeeper;
    private LongSupplier trueMillis = () -> 0;
    private LongSupplier leaderMillis = () -> 0;
    private long leaderAheadMillis; // the most that any leader was

    /** {@code disasters} is whether ZooKeeper may lose what it acknowledged, and layouts change. */
    ModelMonitor(boolean disasters) {
        this.disasters = disasters;
    }

    /** Which slot a generator was opened for last, on which machine. */
    private record Opening(String record, Clock clock) {}

    /** How often each action was taken. */
    Map<String, Integer> counts() {
        return counts;
    }

    /** How many slots nobody looks at any more: see {@link MonitoredSlot#isOutOfSight}. */
    long outOfSight() {
        return slots.values().stream().filter(MonitoredSlot::isOutOfSight).count();
    }

    /** Throws {@link NoStep} where the model's invariant does not hold now. */
    void requireInvariant() {
        slots.values().forEach(MonitoredSlot::requireInvariant);
    }

    @Override
    public void begins(SimulatedZooKeeper of, LongSupplier truth, LongSupplier leader) {
        zookeeper = of;
        trueMillis = truth;
        leaderMillis = leader;
        of.onCommit(this::committed);
    }

    @Override
    public Store before(Store store, Clock clock, Terms terms) {
        return new MonitoredStore(store, clock, terms);
    }

    @Override
    public void opened(String record, Fence fence, Generator generator) {
        opened.put(new Opening(record, fence.clock()), new MonitoredTenure(fence, generator));
    }

    @Override
    public void look() {
        long ahead = leaderMillis.getAsLong() - trueMillis.getAsLong();
        if (Math.abs(ahead) < FARTHEST_LEADER_MILLIS) {
            leaderAheadMillis = Math.max(leaderAheadMillis, ahead);
        }
        slots.values().forEach(MonitoredSlot::look);
    }

    private void committed(List<Store.Op> ops) {
        NavigableMap<String, Znode> tree = Objects.requireNonNull(zookeeper).tree();
        pools.look(tree);
        ops.stream().map(Store.Op::path).filter(path -> path.contains(RECORDS)).forEach(this::slot);
        slots.forEach((path, slot) -> {
            String pool = pool(path);
            Present now = new Present(pools.present(pool), pools.hasComeBack(pool), timeMillis());
            slot.changed(ops, Optional.ofNullable(tree.get(path)), now);
        });
    }

    /** The highest time that any leader has had, as it has gone on since, to the end of the millisecond. */
    private long timeMillis() {
        return trueMillis.getAsLong() + leaderAheadMillis + 1;
    }

    private static String pool(String record) {
        return record.substring(0, record.indexOf(RECORDS));
    }

    private MonitoredSlot slot(String record) {
        return slots.computeIfAbsent(record, path -> {
            ModelSteps steps = new ModelSteps(path, MODEL, action -> counts.merge(action, 1, Integer::sum));
            MonitoredSlot.sayConstants(steps.state());
            return new MonitoredSlot(path, steps, eras(steps, path));
        });
    }

    private MonitoredEras eras(ModelSteps steps, String record) {
        if (!disasters) {
            return MonitoredEras.one(steps, unit(record));
        }
        MonitoredEras eras = new MonitoredEras(steps, unit(record));
        pools.present(pool(record)).ifPresent(eras::begin);
        return eras;
    }

    private static TickUnit unit(String record) {
        return Schemes.all().stream()
                .filter(scheme -> record.contains("/" + scheme.name() + "/"))
                .findFirst()
                .map(Scheme::unit)
                .orElseThrow();
    }

    /** What one process asks and sends. */
    private final class MonitoredStore extends ForwardingStore {
        private final Clock clock;
        private final Terms terms;
        private final Map<String, Node> read = new HashMap<>(); // as they were when they were read last

        MonitoredStore(Store store, Clock clock, Terms terms) {
            super(store);
            this.clock = clock;
            this.terms = terms;
        }

        @Override
        public Optional<Node> read(String path) {
            Optional<Node> node = super.read(path);
            node.ifPresentOrElse(there -> read.put(path, there), () -> read.remove(path));
            return node;
        }

        /** A transaction may write several slots: each is looked at by itself. */
        @Override
        public Outcome.Sent send(Transaction transaction) {
            look();
            List<Runnable> answering = new ArrayList<>();
            for (Op op : transaction.ops()) {
                if (op.path().contains(RECORDS) && !asksForRights(transaction)) {
                    MonitoredSlot slot = slot(op.path());
                    request(transaction.ops(), op)
                            .flatMap(request -> slot.send(request, timeMillis()))
                            .ifPresent(sent -> answering.add(() -> slot.answered(sent)));
                }
            }
            Outcome.Sent outcome = super.send(transaction);
            if (outcome instanceof Outcome.Applied) {
                answering.forEach(Runnable::run);
            }
            return outcome;
        }

        /**
         * Whoever asks whether a transaction would be allowed adds a check that cannot hold, so that it is never
         * applied.
         */
        private static boolean asksForRights(Transaction transaction) {
            return transaction.ops().stream().anyMatch(op -> op.path().contains("/doctor-"));
        }

        /** Empty where nothing is written; and of a record that a claim makes before it writes it. */
        private Optional<RecordRequest> request(List<Op> ops, Op op) {
            List<Op> all =
                    ops.stream().filter(each -> each.path().equals(op.path())).toList();
            boolean first = all.stream().anyMatch(Op.Create.class::isInstance);
            if (op instanceof Op.Write write) {
                return Optional.of(request(ops, op, write.data(), first));
            }
            return op instanceof Op.Create create && all.stream().noneMatch(Op.Write.class::isInstance)
                    ? Optional.of(request(ops, op, create.data(), first))
                    : Optional.empty();
        }

        private RecordRequest request(List<Op> ops, Op op, String data, boolean first) {
            return new RecordRequest(
                    op,
                    data,
                    MonitoredRecord.understood(op.path(), data),
                    first,
                    Optional.ofNullable(read.get(op.path())),
                    claiming(
                            ops, op, MonitoredRecord.understood(op.path(), data).nonce()),
                    pools.of(ops, pool(op.path()), read),
                    terms);
        }

        /**
         * Whoever claims a slot makes its lease in the same transaction. Whoever takes the slot up again does so, too,
         * but has claimed it before.
         */
        private Optional<MonitoredTenure> claiming(List<Op> ops, Op record, String nonce) {
            String lease = record.path().replace(RECORDS, "/leases/");
            boolean makesLease = ops.stream()
                    .anyMatch(op -> op instanceof Op.Create && op.path().equals(lease));
            return makesLease && claims.computeIfAbsent(nonce, first -> ops).equals(ops)
                    ? Optional.of(Objects.requireNonNull(opened.get(new Opening(record.path(), clock)), record::path))
                    : Optional.empty();
        }
    }
}
