package org.idallocator.zk.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.operator.RefusedException;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.simulation.Ledger.Violation;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.SimulatedClient;
import org.idallocator.zk.store.SimulatedClock;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/**
 * Somebody who runs commands in a {@link Simulation}, one after the other. Each command is a process with a connection
 * of its own, which has the same troubles as any, and the process may die in the midst. A command that must be done is
 * run until it succeeds.
 */
final class SimulatedOperator implements Runnable {
    private static final long MILLI = 1_000_000;
    private static final int PATIENCE = 200;
    private static final long DAY = 24L * 3_600 * 1_000 * MILLI;

    private final Simulation simulation;
    private final Random random;
    private final SimulatedClock clock;
    private final Deque<Order> orders = new ArrayDeque<>();
    private final Strands.Strand strand;
    private boolean busy;

    SimulatedOperator(Simulation simulation) {
        this.simulation = simulation;
        this.random = new Random(simulation.random.nextLong());
        this.clock = new SimulatedClock(simulation::nowNanos, random.nextLong(), simulation::pause);
        this.strand = simulation.strands.add(this);
    }

    /** A command, on a store of its own. */
    @FunctionalInterface
    interface Command {
        void run(Store store, SimulatedClock clock);
    }

    private record Order(Command command, AllocatorSettings settings, boolean untilDone) {}

    /** A process died. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super(null, null, false, false);
        }
    }

    /** Has a command run, once; it may fail. */
    void order(AllocatorSettings settings, Command command) {
        add(new Order(command, settings, false));
    }

    /** Has a command run until it succeeds. */
    void insist(AllocatorSettings settings, Command command) {
        add(new Order(command, settings, true));
    }

    private void add(Order order) {
        orders.add(order);
        strand.wake();
    }

    boolean idle() {
        return !busy && orders.isEmpty();
    }

    @Override
    public void run() {
        while (true) {
            Order order = orders.poll();
            if (order == null) {
                simulation.sleep(DAY);
            } else {
                busy = true;
                obey(order);
                busy = false;
            }
        }
    }

    private void obey(Order order) {
        int times = 1;
        while (!done(order) && order.untilDone()) {
            if (!simulation.zookeeper.isAway() && ++times > PATIENCE) {
                throw new Violation("a command that must be done failed " + PATIENCE + " times\n" + simulation);
            }
            simulation.sleep(500 * MILLI);
        }
    }

    private boolean done(Order order) {
        int[] callsLeft = {random.nextInt(8) == 0 ? random.nextInt(12) : Integer.MAX_VALUE};
        SimulatedClient client = simulation.zookeeper.connect().faults(call -> {
            if (callsLeft[0]-- == 0) {
                throw new Killed();
            }
            return simulation.fault(call);
        });
        client.between(() -> simulation.sleep(simulation.delayNanos()));
        clock.off(clockOff());
        try {
            order.command()
                    .run(
                            simulation
                                    .setup
                                    .mutation()
                                    .apply(
                                            simulation.ofSomeVersion(
                                                    client,
                                                    "operator",
                                                    clock,
                                                    order.settings().terms()),
                                            order.settings()),
                            clock);
            return true;
        } catch (StoreException
                | ChangedMeanwhileException
                | UnreachableException
                | RefusedException
                | FencedException
                | Killed e) {
            return false;
        } finally {
            simulation.zookeeper.expire(client.believedSession());
        }
    }

    /**
     * The operator's clock is right, off by what is allowed, or wrong. When nothing goes wrong any more, it is right.
     */
    private long clockOff() {
        if (simulation.calm) {
            return 0;
        }
        long skew = simulation.usual.terms().maxClockSkew().toNanos() / 1_000;
        return switch (random.nextInt(4)) {
            case 0 -> skew;
            case 1 -> -skew;
            case 2 -> random.nextInt() * 1_000L;
            default -> 0;
        };
    }
}
