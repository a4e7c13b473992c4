package org.idallocator.zk.simulation;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.Draw;
import org.idallocator.core.generator.Variant;
import org.idallocator.zk.simulation.Holder.Serving;
import org.idallocator.zk.simulation.Holder.Together;
import org.idallocator.zk.simulation.Ledger.Violation;

/**
 * A thread that draws IDs, now from one replica, now from another. The thread may stop between asking who serves and drawing,
 * inside the draw wherever that reads the clock, and between the draw and handing the IDs out.
 */
final class SimulatedCaller implements Runnable {
    private final Simulation simulation;
    private final Ledger ledger;
    private final Random random;

    SimulatedCaller(Simulation simulation, Ledger ledger) {
        this.simulation = simulation;
        this.ledger = ledger;
        this.random = new Random(simulation.random.nextLong());
    }

    @Override
    public void run() {
        while (true) {
            simulation.sleep(random.nextInt((int) simulation.callerNanos()));
            SimulatedReplica replica = simulation.replicas.get(random.nextInt(simulation.replicas.size()));
            List<Serving> serving = replica.serving();
            if (!serving.isEmpty()) {
                draw(replica, serving.get(random.nextInt(serving.size())));
            }
        }
    }

    private void draw(SimulatedReplica replica, Serving from) {
        int times = 1 + random.nextInt(5);
        for (int i = 0; i < times; i++) {
            simulation.pause();
            if (simulation.several && random.nextBoolean()) {
                replica.together(from).ifPresent(together -> drawOnce(replica, together, wanted(together)));
            } else {
                int count = 1 + random.nextInt(random.nextInt(20) == 0 ? 100 : 3);
                drawOnce(replica, new Together(from.generator(), List.of(from)), count);
            }
        }
    }

    /** How many IDs to ask for: while callers are busy, often more than all the slots have. */
    private int wanted(Together together) {
        long all = together.slots().size() * together.slots().get(0).scheme().idsPerTick();
        int seldom = all < 1_000 ? 3 : 10; // uid60 has many in a tick, which lasts
        return 1 + random.nextInt(simulation.busy() && random.nextInt(seldom) == 0 ? (int) (all * 3 / 2) + 50 : 3);
    }

    private void drawOnce(SimulatedReplica replica, Together from, int count) {
        simulation.drawnFrom(from.slots().size());
        Set<String> late = new HashSet<>();
        Set<String> shared = new HashSet<>();
        share(shared, replica, from);
        long beforeMicros = replica.clock.readMicros();
        from.slots().stream()
                .filter(slot -> replica.clock.readNanos() - slot.fence().deadlineNanos() >= 0)
                .forEach(slot -> late.add(slot.tenure()));
        long[] ids = new long[2 * count];
        int issued = 0;
        try {
            int[] filled = new int[1];
            issued = Draw.of(from.generator(), count, Variant.NONE, (high, low) -> {
                        ids[filled[0]++] = high;
                        ids[filled[0]++] = low;
                    })
                    .issued();
        } catch (FencedException e) {
            // nothing was issued
        }
        for (int i = 0; i < issued; i++) {
            Serving slot = from.of(ids[2 * i], ids[2 * i + 1]);
            if (late.contains(slot.tenure())) {
                throw new Violation("issued after the deadline: " + slot.lease() + ", " + slot.tenure());
            }
        }
        long afterMicros = replica.clock.readMicros();
        simulation.pause();
        share(shared, replica, from);
        for (int i = 0; i < issued; i++) {
            Serving slot = from.of(ids[2 * i], ids[2 * i + 1]);
            if (shared.contains(slot.tenure())) {
                ledger.shared(slot, ids[2 * i], ids[2 * i + 1], afterMicros);
                continue;
            }
            if (replica.wasCopied(slot)) {
                ledger.servesAlone(slot.tenure(), replica);
                ledger.alone(slot, ids[2 * i], ids[2 * i + 1], beforeMicros);
            }
            ledger.issued(slot, ids[2 * i], ids[2 * i + 1]);
        }
    }

    private static void share(Set<String> shared, SimulatedReplica replica, Together from) {
        from.slots().stream()
                .filter(replica::sharesWithCopy)
                .map(Serving::tenure)
                .forEach(shared::add);
    }
}
