package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFramework;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.lease.ServingState.DrainEnd;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.CuratorStore;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;

/**
 * One replica's leases: the slots of each scheme that needs any. A thread of their own claims the slots, renews them
 * and releases them; callers draw from whatever tenures serve at the moment. Thread-safe.
 */
public final class Leases implements AutoCloseable {
    private final Tree tree;
    private final Clock clock;
    private final Map<String, SchemeSlots> slots = new LinkedHashMap<>();
    private final ServingState state = new ServingState();
    private final ReplicaSlots held;
    private final ReadyWait readyWait;
    private final AllocatorSettings settings;
    private volatile Keeping keeping; // another one after each checkpoint

    /** Leases nothing before {@link #start}. The caller starts the client, and closes it after this. */
    public Leases(CuratorFramework curator, Clock clock, AllocatorSettings settings) {
        this.tree = new Tree(settings.zookeeper().root());
        this.clock = clock;
        this.settings = settings;
        this.readyWait = new ReadyWait(clock);
        for (Scheme<?> scheme : settings.schemes()) {
            if (scheme.pool().isPresent()) {
                slots.put(scheme.name(), new SchemeSlots(scheme, settings, clock));
            }
        }
        this.held = new ReplicaSlots(List.copyOf(slots.values()));
        this.keeping = new Keeping(curator);
    }

    /** What keeps the leases by one client, from a start until it is closed, or until a checkpoint. */
    private final class Keeping {
        final LeaseLoop loop;
        final LeaseThread thread;

        /** Keeps nothing before its thread is started. */
        Keeping(CuratorFramework curator) {
            CuratorStore store = CuratorStore.failFast(curator, settings.zookeeper(), clock, this::verifySoon);
            this.loop =
                    new LeaseLoop(Znodes.below(tree.root(), store, clock), clock, settings, held, state, new Random());
            this.thread = new LeaseThread(
                    loop,
                    curator.getZookeeperClient()::reset,
                    readyWait::lookAgain,
                    clock,
                    LeaseThread.LONGEST_RELEASE);
            // no state trips a fence: ceiling and deadline bound what may be issued until the connection is back
            curator.getConnectionStateListenable().addListener((client, connection) -> thread.wake());
        }

        /** Has the lease thread read all slots back, because a watched node has changed. */
        private void verifySoon() {
            loop.verifySoon();
            thread.wake();
        }
    }

    /** Begins to lease, in the background, for as long as that takes. */
    public void start() {
        keeping.thread.start();
    }

    /**
     * Prepares for a checkpoint of the process. Nothing is issued from now on, and all slots are given back, or given
     * up where ZooKeeper does not answer. Afterwards nothing here can issue or claim anything before {@link #goOn}: so
     * processes that go on from the checkpoint have nothing in common. Waits for six seconds at most.
     *
     * @throws IllegalStateException where the thread that keeps the leases does not end in that time
     */
    public void stopForCheckpoint() {
        state.stopForCheckpoint();
        readyWait.lookAgain();
        keeping.thread.close();
        requireAtRest();
    }

    /** Whether this has been stopped for a checkpoint, and does not go on yet. */
    public boolean isAtCheckpoint() {
        return state.isAtCheckpoint();
    }

    private void requireAtRest() {
        if (!keeping.thread.isAtRest()) {
            throw new IllegalStateException("the thread that keeps the leases hangs in a step: no process may go on"
                    + " from a checkpoint now; close this allocator first");
        }
    }

    /**
     * Begins to lease again, in the background, in a process that goes on after {@link #stopForCheckpoint}, as a
     * replica that has just started.
     *
     * @param curator another client than the one before; the caller starts it, and closes it after this
     */
    public void goOn(CuratorFramework curator) {
        requireAtRest();
        keeping = new Keeping(curator);
        state.goOn();
        start();
    }

    /** What callers of a scheme draw from, until this is drained or closed. */
    public TenureSource<Generator> source(Scheme<?> scheme) {
        SchemeSlots ofScheme = slots.get(scheme.name());
        if (ofScheme != null) {
            return state.until(ofScheme);
        }
        Generator generator = scheme.open(0, Fence.unbounded(clock, 0, Long.MAX_VALUE));
        return state.until(() -> generator);
    }

    /**
     * The state of a scheme now; a scheme that needs no lease serves until this is closed. Fences that are overdue trip
     * first: what is told here of a deadline stays true.
     */
    public SchemeStatus status(Scheme<?> scheme) {
        SchemeSlots ofScheme = slots.get(scheme.name());
        if (ofScheme == null) {
            return state.status(new SchemeStatus(scheme.name(), Optional.empty(), Optional.empty()));
        }
        return state.status(ofScheme.tripOverdueAndTell(tree));
    }

    /**
     * Returns when all of these schemes serve. The lease thread's steps wake the waiting caller.
     *
     * @param timeout how long to wait at most; where it is not positive, the states are looked at once
     * @throws org.idallocator.core.fence.FencedException when the time is over, with the reason of the first scheme
     *     that does not serve; at once when this is closed, also meanwhile
     * @throws InterruptedException when the thread is interrupted, before or while it waits
     */
    public void awaitReady(List<Scheme<?>> schemes, Duration timeout) throws InterruptedException {
        readyWait.await(() -> schemes.stream().map(this::status).toList(), timeout);
    }

    /** The slots that this replica holds. */
    public List<HeldSlot> held() {
        return held(held.tenures());
    }

    private List<HeldSlot> held(Collection<Tenure> tenures) {
        return tenures.stream().map(tenure -> tenure.held(tree, clock.micros())).toList();
    }

    /** ZooKeeper gives no answer, and until when IDs come on; empty while it answers. */
    public Optional<Outage> outage() {
        return keeping.loop.unansweredSince().map(since -> Outage.of(since, held()));
    }

    /** What has become of the leases of each scheme with slots. */
    public List<LeaseCounts> counts() {
        return slots.values().stream().map(SchemeSlots::counts).toList();
    }

    /**
     * Drains this replica: when the notice is over, callers are refused, and all slots are given back. Where it is
     * drained already, this waits all the same.
     *
     * @param notice for how long callers are served on first, while {@link #leaving} says so; none where this is
     *     drained already, and shorter where somebody else drains this replica with a shorter one
     * @param timeout how long to wait at most, after the notice, until the slots are given back
     * @throws FencedException when this is closed, before or while this waits
     * @throws InterruptedException when the thread is interrupted while it waits; the replica is drained all the same
     */
    public Drained drain(Duration notice, Duration timeout) throws InterruptedException {
        ServingState.Drain draining = state.announce();
        try {
            var unused = await(draining.end(), state.isLeaving() ? notice : Duration.ZERO);
        } finally {
            draining.add(held.tenures()); // before: the lease thread collects them
            state.carryOut(draining);
            readyWait.lookAgain();
            keeping.thread.wake();
        }
        Optional<DrainEnd> end = await(draining.end(), timeout);
        state.requireNotClosed();
        boolean givenBack = end.filter(DrainEnd.GIVEN_BACK::equals).isPresent();
        boolean resumed = end.filter(DrainEnd.RESUMED::equals).isPresent();
        Optional<FencedException> hindrance = givenBack ? Optional.empty() : draining.hindrance();
        return new Drained(held(draining.tenures()), givenBack, resumed, hindrance);
    }

    /** Whether a drain is announced, and callers are served on until its notice is over. */
    public boolean leaving() {
        return state.isLeaving();
    }

    /**
     * Ends a drain, also one whose notice is not over: slots that were given back are claimed again, in the background.
     * Nothing changes where this is not drained.
     *
     * @return whether this was drained, or about to be
     * @throws FencedException when this is closed
     */
    public boolean resume() {
        state.requireNotClosed();
        boolean was = state.resume();
        keeping.thread.wake();
        return was;
    }

    /**
     * Changes the slots of a scheme for others: another one is claimed first, callers go on with that, and the old one
     * is released.
     *
     * @param scheme one with slots
     * @param timeout how long to wait at most
     * @return the slots that were changed; empty where the time is over before that is known, and then they may yet be
     *     changed
     * @throws FencedException when a slot cannot be changed now, with the reason; it goes on serving. The message names
     *     the slots that were changed before
     * @throws InterruptedException when the thread is interrupted while it waits
     */
    public Optional<List<Rotated>> rotate(Scheme<?> scheme, Duration timeout) throws InterruptedException {
        Rotation rotation = new Rotation(Objects.requireNonNull(slots.get(scheme.name())));
        Keeping now = keeping;
        now.loop.rotate(rotation);
        now.thread.wake();
        return await(rotation.done(), timeout);
    }

    /** The answer to an order, if it comes in time; throws why the order is refused. */
    private static <T> Optional<T> await(CompletableFuture<T> answer, Duration timeout) throws InterruptedException {
        try {
            return Optional.of(answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw ((FencedException) Objects.requireNonNull(e.getCause())).forCaller();
        }
    }

    /**
     * How far this replica's clock is ahead of ZooKeeper's (negative: behind), as its last write told; empty before the
     * first.
     */
    public Optional<Duration> clockOffset() {
        return keeping.loop.clockOffset();
    }

    /**
     * How long ago the thread that keeps the leases began or ended a step. It steps several times in a window, and each
     * step ends within a few session timeouts. A much longer time means that the thread hangs.
     * {@link java.time.temporal.ChronoUnit#FOREVER} when the thread has died; zero when this is closed.
     */
    public Duration sinceLastStep() {
        return keeping.thread.sinceLastStep();
    }

    /** Stops issuing at once, releases every slot and leaves. Waits for six seconds at most. Idempotent. */
    @Override
    public void close() {
        state.close();
        readyWait.lookAgain();
        keeping.thread.close();
    }
}
