package org.idallocator.zk.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.era.Generations;
import org.idallocator.zk.era.Incarnations;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Connection;
import org.idallocator.zk.store.Session;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Znodes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that this replica does in ZooKeeper, step by step on one thread. A step does one small task, the most urgent that
 * is due: it follows meta, announces the replica on a new session, renews the tenures that serve, reads slots back of
 * which a watch has told, releases the tenures that ended, claims slots where none serve or a tenure is about to end,
 * or changes a slot where an operator wants another. So a renewal is late by one task at most; on a new session, meta
 * and the announcement come first. While the replica is drained, it claims nothing. Safety never depends on this
 * thread: fences trip by themselves when their deadline or ceiling passes, however long a step hangs.
 *
 * <p>{@link #fenceAll}, {@link #verifySoon}, {@link #rotate(Rotation)} and {@link #clockOffset} may be called from any
 * thread; the rest belongs to the thread that steps.
 */
final class LeaseLoop {
    /** How long to wait before what ZooKeeper or a rule has refused is tried again. */
    static final Duration RETRY = Duration.ofMillis(200);

    /** How often meta is followed where nothing asks for that. */
    private static final Duration FOLLOW_AGAIN = Duration.ofMillis(2_500);

    /** What fails where slots cannot be given back at a stop, as the log tells. */
    static final String RELEASING = "releasing everything";

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLoop.class);
    private static final String STEP = "leases are not kept";

    private final Znodes nodes;
    private final ReplicaSlots held;
    private final ReplicaTenures tenures;
    private final ServingState state;
    private final Clock clock;
    private final LeaderClock leaderClock;
    private final LeaseRules rules;
    private final Membership membership;
    private final MetaWatch metaWatch;
    private final SlotFiller filler;
    private final Rotations rotations;
    private final Renewer renewer;
    private final Verifier verifier;
    private final Releaser releaser;
    private final List<Task> byUrgency;
    private final String address;
    private final long startedNanos;
    private final RetryLog failures = new RetryLog();
    private @Nullable Session joined; // that this step works on
    private boolean followAtOnce; // meta, before anything else
    private long followedNanos;
    private volatile @Nullable Instant unansweredSince;
    private volatile boolean verify;

    /**
     * Does nothing before the first {@link #step}.
     *
     * @param held the slots that it keeps
     * @param state whether this replica is to serve; where it is drained, this says there what is left to be given back
     */
    LeaseLoop(
            Znodes nodes,
            Clock clock,
            AllocatorSettings settings,
            ReplicaSlots held,
            ServingState state,
            Random random) {
        this.nodes = nodes;
        this.held = held;
        this.state = state;
        this.clock = clock;
        this.leaderClock = new LeaderClock(clock, settings.maxClockSkew());
        this.rules = new LeaseRules(clock, settings::terms);
        Incarnations incarnations =
                new Incarnations(nodes, settings.clusterId(), settings.terms().ahead(), leaderClock);
        this.membership = new Membership(nodes, clock, leaderClock, settings.replica());
        IssuedTicks issued = new IssuedTicks();
        this.releaser = new Releaser(nodes, clock, leaderClock, issued, failures);
        this.tenures = new ReplicaTenures(held, releaser);
        this.metaWatch = new MetaWatch(nodes, incarnations, held, tenures);
        this.verifier = new Verifier(nodes, leaderClock);
        this.renewer = new Renewer(nodes, clock, leaderClock, rules, held, verifier);
        SlotClaims claims = new SlotClaims(
                nodes,
                new Generations(nodes, settings::terms),
                new SlotChooser(nodes, clock, random),
                new Claimer(nodes, clock, leaderClock, rules, settings.replica(), releaser, issued, failures),
                leaderClock,
                rules,
                metaWatch,
                new Vouching(nodes, clock, leaderClock));
        this.filler =
                new SlotFiller(claims, clock, random, releaser, issued, failures, held.keepers(), this::verifySoon);
        this.rotations = new Rotations(claims, filler, state);
        this.byUrgency = List.of(
                new Task(() -> followAtOnce ? 0 : Task.NEVER, this::followMeta),
                new Task(() -> membership.isOn(session().id()) ? Task.NEVER : 0, this::announce),
                new Task(renewer::nanosUntilDue, () -> renewer.renew(session(), metaWatch.seen())),
                new Task(renewer::nanosUntilSetAside, () -> renewer.renewSetAside(session(), metaWatch.seen())),
                new Task(this::nanosUntilFollow, this::followMeta),
                new Task(membership::nanosUntilAnotherJoin, this::announce),
                new Task(() -> verify ? 0 : Task.NEVER, this::verify),
                new Task(releaser::nanosUntilDue, this::release),
                new Task(this::nanosUntilTimeIsAsked, () -> leaderClock.ask(nodes)),
                new Task(this::nanosUntilClaim, () -> filler.advance(session())),
                new Task(rotations::nanosUntilDue, () -> rotations.carryOut(session())),
                new Task(releaser::nanosUntilSetAside, this::releaseSetAside),
                new Task(membership::nanosUntilTold, () -> membership.tell(metaWatch.seen())));
        this.address = settings.zookeeper().connect();
        this.startedNanos = clock.nanos();
    }

    /** One step; returns how many nanoseconds the next may wait: not at all after a task. */
    long step() {
        boolean over = false;
        try {
            long waitNanos = tryToStep();
            over = true;
            return waitNanos;
        } finally {
            if (!over) { // nobody foresaw what broke it off, and nobody waits in vain
                rotations.refuseAll(FencedException.of(FenceReason.STARTING, "a step failed"));
            }
        }
    }

    private long tryToStep() {
        try {
            metaWatch.rememberReserved();
            obeyDrain(); // before anything is asked: no outage keeps a drained replica's fences open
            join();
            long waitNanos = work();
            unansweredSince = null;
            return waitNanos;
        } catch (NoneMayServeException e) {
            FencedException why = metaWatch.withCause(e.refusal());
            held.trip(why);
            return noteFailure(why, Optional.empty());
        } catch (StoreException e) {
            // no fence trips: ceilings and deadlines bound what is issued until ZooKeeper answers
            LOG.debug("no answer", e);
            return noteFailure(refusal(e), Optional.of(e.kind()));
        } catch (ChangedMeanwhileException e) {
            LOG.debug("a step is done again", e);
            return noteFailure(e.fenced(), Optional.empty());
        }
    }

    /**
     * The part of a step that has a session: the most urgent task, if any is due. Returns how many nanoseconds the next
     * step may wait.
     */
    private long work() {
        held.tenures().forEach(tenure -> rules.tooLong(tenure).ifPresent(tenure.fence()::trip));
        collect();
        Optional<Task> next = byUrgency.stream().filter(Task::isDue).findFirst();
        if (next.isEmpty()) {
            failures.tellRecovery(STEP, "leases are kept again");
            return byUrgency.stream().mapToLong(Task::nanosUntilDue).min().orElseThrow();
        }
        try {
            next.get().run();
            return 0;
        } catch (RolledBackException e) {
            failures.tellFailure(STEP, e.refusal()); // first: the proof may get no answer
            if (metaWatch.removeMetaIfLost(e)) {
                throw new NoneMayServeException(e.refusal());
            }
            return noteFailure(e.refusal(), Optional.empty());
        }
    }

    /**
     * Goes on after a step that has failed. Whoever waits for it is told why, and so are callers where no tenure
     * serves.
     *
     * @param kind why ZooKeeper gave no plain answer; empty where the step has failed otherwise
     * @return how many nanoseconds the next step may wait
     */
    private long noteFailure(FencedException why, Optional<StoreException.Kind> kind) {
        followAtOnce = true;
        noteUnanswered(why.reason() == FenceReason.UNREACHABLE);
        filler.drop();
        renewer.endFailedTry(kind);
        rotations.refuseAll(why);
        state.noteHindrance(Optional.of(why));
        collect();
        held.keepers().forEach(keeper -> keeper.refuse(why));
        boolean orderlyStart =
                kind.filter(StoreException.Kind.NO_ANSWER::equals).isPresent() && why.reason() == FenceReason.STARTING;
        if (!orderlyStart) {
            failures.tellFailure(STEP, why); // in the words that callers hear, with the address
        }
        return RETRY.toNanos();
    }

    private void noteUnanswered(boolean unanswered) {
        if (!unanswered) {
            unansweredSince = null;
        } else if (unansweredSince == null) {
            unansweredSince = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        }
    }

    /** Since when ZooKeeper has given no answer; empty while it answers. May be called from any thread. */
    Optional<Instant> unansweredSince() {
        return Optional.ofNullable(unansweredSince);
    }

    /** What callers are told where ZooKeeper gives no plain answer. An orderly start has no connection for a moment. */
    private FencedException refusal(StoreException e) {
        if (e.kind() != StoreException.Kind.NO_ANSWER) {
            return e.fenced();
        }
        boolean starting = !membership.hasJoined() && clock.nanos() - startedNanos < Connection.USUAL.toNanos();
        return starting
                ? FencedException.of(FenceReason.STARTING, "connecting to ZooKeeper at " + address)
                : FencedException.of(FenceReason.UNREACHABLE, address + ": " + e.getMessage());
    }

    /**
     * Where this replica is drained, trips the fences, gives the slots back, and claims none. It stays a member, and
     * its session lives on. Asks nobody: where nothing is held, no outage matters.
     */
    private void obeyDrain() {
        if (state.isDrained()) {
            held.trip(FencedException.of(FenceReason.DRAINED, "in order"));
        }
        state.refusal().ifPresent(why -> {
            filler.drop();
            rotations.refuseAll(why);
        });
        collect();
        state.noteLeft(tenures.all());
    }

    private void followMeta() {
        metaWatch.followOrBegin();
        followAtOnce = false;
        followedNanos = clock.nanos();
    }

    /** Also a replica without a slot finds in time that meta has changed. */
    private long nanosUntilFollow() {
        return Math.max(0, followedNanos + FOLLOW_AGAIN.toNanos() - clock.nanos());
    }

    private void announce() {
        membership.join(session().id(), metaWatch.seen());
    }

    private void release() {
        releaser.release(session(), metaWatch.seen());
        state.noteHindrance(releaser.hindrance());
    }

    private void releaseSetAside() {
        releaser.releaseSetAside(session(), metaWatch.seen());
        state.noteHindrance(releaser.hindrance());
    }

    private long nanosUntilClaim() {
        return state.refusal().isPresent() ? Task.NEVER : filler.nanosUntilDue();
    }

    /**
     * How long ZooKeeper need not be asked for its time, so that the contact with it stays unbroken: whoever is to
     * claim begins above all that may have been forgotten before that. Usually renewals tell it.
     */
    private long nanosUntilTimeIsAsked() {
        return nanosUntilClaim() == Task.NEVER
                ? Task.NEVER
                : Math.max(0, LeaseRules.LONGEST_SILENCE.toNanos() - leaderClock.nanosSinceAnswered());
    }

    /**
     * Asks for other slots of a scheme. Refused at once where this replica does not serve: then nobody may look at what
     * waits any more. May be called from any thread.
     */
    void rotate(Rotation rotation) {
        rotations.add(rotation);
    }

    /** Trips all fences at once, because the session is given up. May be called from any thread. */
    void fenceAll() {
        held.tenures().forEach(tenure -> tenure.fence().trip(FenceReason.SESSION_LOST, tenure.toString()));
    }

    /** A watched node has changed: the next step reads everything back. May be called from any thread. */
    void verifySoon() {
        verify = true;
    }

    /**
     * Reads all slots back after a watched node has changed, or after another slot was claimed, and watches their nodes
     * anew: a watch tells of one change. Fences of tenures whose slots are not ours any more trip. Where this throws,
     * whatever it is, the next step does it.
     */
    private void verify() {
        verify = false; // first: what changes from here on asks again
        try {
            metaWatch.watch(); // first, so that no change falls between the two
            metaWatch.followOrBegin();
            List<Tenure> serving = held.tenures();
            nodes.store().watch(watched(serving));
            var unused = verifier.verify(serving, session());
        } catch (RuntimeException e) {
            verify = true;
            throw e;
        }
    }

    /** The nodes that tell when a slot is not ours any more: its lease, and its pool's layout. */
    private List<String> watched(List<Tenure> serving) {
        return serving.stream()
                .map(Tenure::slot)
                .flatMap(
                        slot -> Stream.of(nodes.tree().lease(slot), nodes.tree().layout(slot.pool())))
                .distinct()
                .toList();
    }

    /**
     * On a new session, meta is followed, this replica announced, which tells ZooKeeper's time after what may have been
     * a long silence, and what an earlier session held is taken up.
     */
    private void join() {
        Session session = nodes.store().session();
        if (!session.equals(joined)) {
            joined = session;
            followAtOnce = true;
            filler.drop();
            renewer.goOnWith(session);
            if (!held.tenures().isEmpty()) {
                verify = true; // watches ended with the session before
            }
        }
    }

    /** The session that this step works on. */
    private Session session() {
        return Objects.requireNonNull(joined);
    }

    /** Collects the tenures whose fences have tripped: they stop serving, and are to be released. */
    private void collect() {
        held.keepers().forEach(keeper -> keeper.collect().ifPresent(releaser::add));
    }

    /**
     * Ends everything in order: trips the fences, and releases the slots. Where it fails, it is to be called again, as
     * long as not everything is {@link #isClosed}.
     *
     * @throws StoreException when ZooKeeper does not answer
     */
    void close() {
        endTenures();
        if (membership.hasJoined()) {
            try {
                releaseAll();
            } catch (RolledBackException e) {
                releaseNothing(e.refusal());
            } catch (NoneMayServeException e) {
                releaseNothing(e.refusal());
            }
        }
    }

    /** What is not released yet is not released at all, for this reason: the leases end with their session. */
    private void releaseNothing(FencedException why) {
        failures.tellFailure(RELEASING, why);
        releaser.giveUp();
    }

    /**
     * Under meta as it was seen last: a far ZooKeeper is not asked for it first. Where it has changed, the next try is
     * under that.
     */
    private void releaseAll() {
        try {
            Session session = nodes.store().session();
            while (releaser.nanosUntilDue() == 0) {
                releaser.release(session, metaWatch.seen());
            }
            while (releaser.nanosUntilSetAside() == 0) {
                releaser.releaseSetAside(session, metaWatch.seen());
            }
        } catch (ChangedMeanwhileException e) {
            LOG.debug("looks at meta, and releases then", e);
            metaWatch.follow();
        }
    }

    /** Whether everything is released. */
    boolean isClosed() {
        return releaser.tenures().isEmpty();
    }

    private void endTenures() {
        if (state.isAtCheckpoint()) {
            rotations.refuseAll(FencedException.of(FenceReason.CHECKPOINT));
            held.trip(FencedException.of(FenceReason.CHECKPOINT));
        } else {
            rotations.refuseAll(FencedException.of(FenceReason.CLOSED, "this replica stops"));
            held.trip(FencedException.of(FenceReason.RELEASED, "this replica stops"));
        }
        collect();
    }

    /** Ends everything without ZooKeeper: what is not released yet is not released at all. */
    void giveUp() {
        endTenures();
        releaser.giveUp();
    }

    /**
     * How far the clock is ahead of ZooKeeper's (negative: behind); empty while nothing is known. May be called from
     * any thread.
     */
    Optional<Duration> clockOffset() {
        return leaderClock.offset();
    }
}
