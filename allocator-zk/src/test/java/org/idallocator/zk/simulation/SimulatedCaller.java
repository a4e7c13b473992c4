package org.idallocator.zk.simulation;

import java.util.List;
import java.util.Random;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.Variant;
import org.idallocator.zk.simulation.Holder.Serving;
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
        this.random = new Random(simulation.random().nextLong());
    }

    @Override
    public void run() {
        while (true) {
            simulation.sleep(random.nextInt((int) simulation.callerNanos()));
            SimulatedReplica replica = simulation
                    .replicas()
                    .get(random.nextInt(simulation.replicas().size()));
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
            drawOnce(replica, from);
        }
    }

    private void drawOnce(SimulatedReplica replica, Serving from) {
        boolean late = replica.clock().readNanos() - from.fence().deadlineNanos() >= 0;
        int count = 1 + random.nextInt(random.nextInt(20) == 0 ? 100 : 3);
        long[] ids = new long[2 * count];
        int issued = 0;
        try {
            int[] filled = new int[1];
            issued = from.generator()
                    .draw(count, Variant.NONE, (high, low) -> {
                        ids[filled[0]++] = high;
                        ids[filled[0]++] = low;
                    })
                    .issued();
        } catch (FencedException e) {
            // nothing was issued
        }
        if (late && issued > 0) {
            throw new Violation("issued after the deadline: " + from.lease() + ", " + from.tenure());
        }
        simulation.pause();
        for (int i = 0; i < issued; i++) {
            ledger.issued(from, ids[2 * i], ids[2 * i + 1]);
        }
    }
}
