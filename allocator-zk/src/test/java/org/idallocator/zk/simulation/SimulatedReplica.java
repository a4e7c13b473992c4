package org.idallocator.zk.simulation;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.lease.LeasedHolder;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.simulation.Holder.Serving;
import org.idallocator.zk.simulation.Strands.Strand;
import org.idallocator.zk.store.SimulatedClient;
import org.idallocator.zk.store.SimulatedClock;
import org.idallocator.zk.store.SimulatedZooKeeper.Znode;
import org.idallocator.zk.store.Store;

/**
 * One replica of a {@link Simulation}: processes on one machine, one after the other. A process ends by an orderly
 * stop, or by a crash, which leaves its session behind.
 */
final class SimulatedReplica implements Runnable {
    private static final long MILLI = 1_000_000;
    private static final long PATIENCE_TO_STOP = 5_000 * MILLI;

    private final Simulation simulation;
    private final String name;
    final long clockOffMicros; // while nothing is wrong with the clock
    SimulatedClock clock;
    private Random random;
    private final Strand strand;
    SimulatedClient client;
    private Holder holder;
    private boolean crashing;
    private boolean stopping;
    private boolean running;
    Configuration configuration;
    private AllocatorSettings settings;
    private Configuration next;
    private Set<String> copied = Set.of();
    private long copiedNanos;
    private boolean absent;
    private OptionalLong stoppedWithNanos = OptionalLong.empty();

    SimulatedReplica(Simulation simulation, String name, long clockOffMicros) {
        this.simulation = simulation;
        this.name = name;
        this.clockOffMicros = clockOffMicros;
        this.next = simulation.usual;
        this.configuration = next;
        this.strand = simulation.strands.add(this);
        this.random = new Random(simulation.random.nextLong());
        long origin = random.nextInt(3) == 0 ? Long.MAX_VALUE - 20_000 * MILLI : random.nextLong();
        this.clock = new SimulatedClock(simulation::nowNanos, origin, this::readClock, simulation);
        clock.off(clockOffMicros);
        boot();
    }

    /** A process died. */
    private static final class Crash extends Error {
        private static final long serialVersionUID = 1L;

        Crash() {
            super(null, null, false, false);
        }
    }

    private void boot() {
        crashing = false;
        stopping = false;
        configuration = next;
        client = simulation.zookeeper.connect().faults(simulation::fault);
        client.between(this::pause);
        settings = simulation.withLeases(configuration.settings(name), random);
        holder = holder();
        listen();
    }

    private Holder holder() {
        Store store = simulation
                .setup
                .mutation()
                .apply(simulation.ofSomeVersion(client, name, clock, settings.terms()), settings);
        return simulation.setup.naive()
                ? new NaiveHolder(store, clock, settings, random)
                : new LeasedHolder(simulation.nodes(store), clock, settings, random, simulation.setup.draws());
    }

    private void listen() {
        client.onChange(this::changed);
        client.delivery(simulation::tell);
        client.onSessionLost(() -> {
            if (random.nextBoolean()) {
                holder.sessionLost(); // else the news is lost, as Curator's queue of events can overflow
            }
        });
    }

    /** One that is not there until another one is {@linkplain #copy copied}. */
    static SimulatedReplica absent(Simulation simulation, String name) {
        SimulatedReplica replica = new SimulatedReplica(simulation, name, 0);
        simulation.zookeeper.expire(replica.client.believedSession());
        replica.absent = true;
        return replica;
    }

    /**
     * Is the copy of a process from now on: of its session, nonces, clocks, random numbers, and of all that the tenures
     * know that serve. Both go on. False where the process serves nothing.
     */
    boolean copy(SimulatedReplica original) {
        boolean serves =
                original.serving().stream().anyMatch(slot -> slot.fence().tripIfOverdue() == null);
        if (!serves || original.stopping || original.crashing) {
            return false;
        }
        clock = original.clock.copy(this::readClock);
        random = copy(original.random);
        configuration = original.configuration;
        settings = original.settings;
        client = original.client.copy().faults(simulation::fault);
        client.between(this::pause);
        holder = holder();
        listen();
        copied = ((LeasedHolder) holder).goOnFrom((LeasedHolder) original.holder);
        copiedNanos = clock.readNanos();
        original.copied = copied;
        original.copiedNanos = copiedNanos;
        absent = false;
        strand.wake();
        return true;
    }

    private static Random copy(Random random) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(random);
            return (Random) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Whether a slot is one that a copy may issue from as well: the copy was made, and since then no write of this
     * process has been confirmed that it sent after that.
     */
    boolean sharesWithCopy(Serving slot) {
        long sentNanos =
                slot.fence().deadlineNanos() - configuration.terms().window().toNanos();
        return copied.contains(slot.tenure()) && sentNanos - copiedNanos <= 0;
    }

    /** Whether a slot is one that a copy had as well. */
    boolean wasCopied(Serving slot) {
        return copied.contains(slot.tenure());
    }

    @Override
    public void run() {
        while (absent) {
            simulation.sleep(50 * MILLI);
        }
        while (true) {
            try {
                live();
            } catch (Crash e) {
                // the session lives on for a while
            }
            running = false;
            simulation.sleep((long) (random.nextDouble() * simulation.downNanos()));
            simulation.leaveBehind(client.believedSession());
            while (!simulation.mayStart()) {
                simulation.sleep(50 * MILLI);
            }
            boot();
        }
    }

    private void live() {
        running = true;
        while (!stopping) {
            simulation.sleep(holder.step());
            dieIfCrashing();
        }
        long fromNanos = simulation.nowNanos();
        while (!holder.close() && simulation.nowNanos() - fromNanos < PATIENCE_TO_STOP) {
            simulation.sleep(100 * MILLI);
        }
        simulation.zookeeper.expire(client.believedSession());
    }

    /** A call to ZooKeeper takes time, though usually none, and the replica may crash meanwhile. */
    private void pause() {
        simulation.sleep(simulation.delayNanos());
        dieIfCrashing();
    }

    private void dieIfCrashing() {
        if (crashing && simulation.strands.current() == strand) {
            throw new Crash();
        }
    }

    /** A caller, or now and then the replica itself, may stop for any time with what it has just read. */
    private void readClock() {
        if (simulation.strands.current() != strand) {
            simulation.pause();
        } else if (random.nextInt(8) == 0) {
            stoppedWithNanos = OptionalLong.of(clock.readNanos());
            simulation.pause();
            stoppedWithNanos = OptionalLong.empty();
        }
    }

    /**
     * Whether a deadline has passed for good. While the replica's own thread stops with a reading from before the
     * deadline, it may have an answer that moves the deadline, and may have seen that it is in time.
     */
    boolean isOver(long deadlineNanos) {
        boolean mayStillMove = stoppedWithNanos.isPresent() && stoppedWithNanos.getAsLong() - deadlineNanos < 0;
        return clock.readNanos() - deadlineNanos >= 0 && !mayStillMove;
    }

    List<Serving> serving() {
        return running ? holder.serving() : List.of();
    }

    /** What callers of the process draw through, one for each scheme; none while there is no process. */
    List<Calls> calls() {
        return running ? holder.calls() : List.of();
    }

    /** How many slots of a scheme the process is to hold. */
    int leases(Scheme<?> scheme) {
        return settings.leases(scheme);
    }

    /** The next process will have this configuration. */
    void configure(Configuration other) {
        next = other;
    }

    /** Keeps the process from ZooKeeper, or lets it connect again. The next process may connect in any case. */
    void holdBack(boolean nowHeldBack) {
        client.heldBack(nowHeldBack);
    }

    /** Whether the replica would notice in every scheme's pool that ZooKeeper came back from this backup. */
    boolean notices(NavigableMap<String, Znode> backup) {
        return running && holder instanceof LeasedHolder leased && leased.notices(backup);
    }

    /** Why schemes are not served. */
    List<FencedException> refusals() {
        return running && holder instanceof LeasedHolder leased ? leased.refusals() : List.of();
    }

    /** An operator asks something of the process; a process that comes after it knows nothing of that. */
    void order(Consumer<LeasedHolder> order) {
        if (running && holder instanceof LeasedHolder leased) {
            order.accept(leased);
            strand.wake();
        }
    }

    void crash() {
        crashing = running;
        strand.wake();
    }

    void stop() {
        stopping = running;
        strand.wake();
    }

    void sessionLost() {
        holder.sessionLost();
        strand.wake();
    }

    void changed() {
        holder.changed();
        strand.wake();
    }

    void freezeUntil(long time) {
        strand.freezeUntil(time);
    }

    /** Sets the clock right enough, and lets the client connect. */
    void calmDown() {
        long wrong = (random.nextInt(500) - 250) * 1_000L;
        clock.off(clockOffMicros == 0 ? wrong : clockOffMicros);
        client.connected(true);
    }

    @Override
    public String toString() {
        return name + (running ? " on session " : " down, last session ") + client.believedSession() + ", ready at "
                + strand.readyAtNanos() / MILLI + " ms" + holder;
    }
}
