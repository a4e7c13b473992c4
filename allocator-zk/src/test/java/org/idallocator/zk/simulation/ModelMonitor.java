package org.idallocator.zk.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.zk.model.Model;
import org.idallocator.zk.simulation.MonitoredSlot.Sent;
import org.idallocator.zk.store.ForwardingStore;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Transaction;

/**
 * Holds the code to the model: takes each step that the real classes take in a {@link Simulation} in the model, too, slot by slot. A
 * step that the model lacks, or whose guard does not hold, is a {@link NoStep}, whether or not it leads to equal IDs.
 *
 * <p>Nothing in the code tells of its steps. What is sent is seen in a store between each process and its client; what is applied, in
 * ZooKeeper; what fences and generators do, by looking at them whenever a thread pauses. Every reading of a clock is a pause, and a
 * generator reads one before each step.
 */
final class ModelMonitor implements Onlooker {
    private static final String RECORDS = "/records/";

    private final Model model;
    private final Map<String, MonitoredSlot> slots = new TreeMap<>(); // by the paths of their records
    private final Map<Opening, MonitoredTenure> opened = new HashMap<>();
    private final Map<String, Integer> counts = new TreeMap<>();

    /** {@code model} is of one slot. */
    ModelMonitor(Model model) {
        this.model = model;
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
    public Store before(Store store, Clock clock) {
        return new MonitoredStore(store, clock);
    }

    @Override
    public void opened(String record, Fence fence, Generator generator) {
        opened.put(new Opening(record, fence.clock()), new MonitoredTenure(fence, generator));
    }

    @Override
    public void written(String path, String data, boolean created) {
        if (path.contains(RECORDS)) {
            slot(path).written(data, created);
        }
    }

    @Override
    public void look() {
        slots.values().forEach(MonitoredSlot::look);
    }

    private MonitoredSlot slot(String record) {
        return slots.computeIfAbsent(
                record, path -> new MonitoredSlot(path, model, action -> counts.merge(action, 1, Integer::sum)));
    }

    /** What one process asks and sends. */
    private final class MonitoredStore extends ForwardingStore {
        private final Clock clock;
        private final Map<String, Integer> seen = new HashMap<>(); // the versions of records

        MonitoredStore(Store store, Clock clock) {
            super(store);
            this.clock = clock;
        }

        @Override
        public Optional<Node> read(String path) {
            Optional<Node> node = super.read(path);
            node.ifPresent(there -> seen.put(path, there.version()));
            return node;
        }

        /** A transaction may write several slots: each is looked at by itself. */
        @Override
        public Outcome send(Transaction transaction) {
            look();
            List<Runnable> answering = new ArrayList<>();
            for (Op op : transaction.ops()) {
                if (op instanceof Op.Write write && op.path().contains(RECORDS)) {
                    MonitoredSlot slot = slot(op.path());
                    Optional<Sent> sent = slot.send(write, seen.getOrDefault(op.path(), 0), claiming(transaction, op));
                    sent.ifPresent(each -> answering.add(() -> slot.answered(each)));
                }
            }
            Outcome outcome = super.send(transaction);
            if (outcome instanceof Outcome.Applied) {
                answering.forEach(Runnable::run);
            }
            return outcome;
        }

        /** Whoever claims a slot makes its lease in the same transaction. */
        private Optional<MonitoredTenure> claiming(Transaction transaction, Op record) {
            String lease = record.path().replace(RECORDS, "/leases/");
            boolean claims = transaction.ops().stream()
                    .anyMatch(op -> op instanceof Op.Create && op.path().equals(lease));
            return claims
                    ? Optional.of(Objects.requireNonNull(opened.get(new Opening(record.path(), clock)), record::path))
                    : Optional.empty();
        }
    }
}
