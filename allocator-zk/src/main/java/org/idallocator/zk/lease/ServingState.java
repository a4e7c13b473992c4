package org.idallocator.zk.lease;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArraySet;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this replica serves: it is open, leaving, drained, or closed. Callers are told of a replica that is drained
 * or closed before anything else, and nothing is claimed then. The lease thread steps on for a while after that, and
 * may claim, renew and refuse then; no such step can tell callers otherwise. {@link #resume} opens a drained replica
 * again; nothing opens what was closed. While a checkpoint of the process is made, nobody is served either.
 *
 * <p>Any thread asks for a drain; the lease thread gives back what there is, and says so here. Thread-safe.
 */
final class ServingState {
    private static final Logger LOG = LoggerFactory.getLogger(ServingState.class);

    private final FencedException toldWhenDrained = FencedException.of(FenceReason.DRAINED);
    private final FencedException toldAtCheckpoint = FencedException.of(FenceReason.CHECKPOINT);
    private final FencedException toldWhenClosed = FencedException.of(FenceReason.CLOSED);
    private volatile State state = State.OPEN;
    private volatile boolean atCheckpoint;
    private Optional<Drain> underWay = Optional.empty(); // announced, or being carried out: one that has not ended

    private enum State {
        /** Callers are served. */
        OPEN,
        /** A drain is announced: callers are served until it is carried out. */
        LEAVING,
        /** Nobody is served. All slots are being given back, or are given back already. */
        DRAINED,
        /** Nobody is served ever after. */
        CLOSED
    }

    /** How a drain has ended. */
    enum DrainEnd {
        /** All slots are given back. */
        GIVEN_BACK,
        /** The replica was resumed before all were given back. */
        RESUMED,
        /** The replica was closed before all were given back. */
        CLOSED
    }

    /** One drain, and what came of it. The lease thread tells; whoever gave the order waits. Thread-safe. */
    static final class Drain {
        private final Set<Tenure> tenures = new CopyOnWriteArraySet<>();
        private final CompletableFuture<DrainEnd> end = new CompletableFuture<>();
        private volatile Optional<FencedException> hindrance = Optional.empty();

        private Drain() {}

        private static Drain ended(DrainEnd how) {
            Drain ended = new Drain();
            ended.end.complete(how);
            return ended;
        }

        /** Adds tenures that are to be given back, or are given back already. */
        void add(List<Tenure> more) {
            tenures.addAll(more);
        }

        /** All that were to be given back, also those that are given back already. */
        List<Tenure> tenures() {
            return List.copyOf(tenures);
        }

        /** Completes when it ends. */
        CompletableFuture<DrainEnd> end() {
            return end;
        }

        /** Why the last step did not give all back; empty where nothing hindered it, and before the first. */
        Optional<FencedException> hindrance() {
            return hindrance;
        }
    }

    /**
     * Announces a drain: this replica serves on, and is to get no more requests. Where one is announced already, or is
     * being carried out, it is that one. It is at its end where this replica is drained and has given all back, and
     * where it is closed.
     */
    synchronized Drain announce() {
        return switch (state) {
            case OPEN -> beginLeaving();
            case LEAVING, DRAINED -> underWay.orElseGet(() -> Drain.ended(DrainEnd.GIVEN_BACK));
            case CLOSED -> Drain.ended(DrainEnd.CLOSED);
        };
    }

    private Drain beginLeaving() {
        LOG.info("a drain is announced: this replica says that it is not ready, and serves on for a while");
        Drain announced = new Drain();
        underWay = Optional.of(announced);
        state = State.LEAVING;
        return announced;
    }

    /**
     * Carries out a drain that was announced: from now on nobody is served. Does nothing where that drain was ended
     * meanwhile.
     */
    synchronized void carryOut(Drain announced) {
        if (state == State.LEAVING && underWay.filter(announced::equals).isPresent()) {
            LOG.info("drained: nobody is served from now on, and all slots are being given back");
            state = State.DRAINED;
        }
    }

    /** Whether a drain is announced, and not carried out yet. */
    boolean isLeaving() {
        return state == State.LEAVING;
    }

    /**
     * Ends a drain, also one that is only announced; says whether there was one. Whoever still waits for its end is
     * told that not all was given back.
     */
    synchronized boolean resume() {
        if (state != State.LEAVING && state != State.DRAINED) {
            return false;
        }
        LOG.info("resumed: slots that were given back are claimed again");
        state = State.OPEN;
        end(DrainEnd.RESUMED);
        return true;
    }

    /** The replica is closed: from now on everybody is told so, and nobody waits for a drain any more. */
    synchronized void close() {
        state = State.CLOSED;
        end(DrainEnd.CLOSED);
    }

    private void end(DrainEnd how) {
        underWay.ifPresent(drain -> drain.end.complete(how));
        underWay = Optional.empty();
    }

    /**
     * Notes, where this replica was found drained, what is left to be given back; where there is nothing, the drain is
     * at its end.
     */
    synchronized void noteLeft(List<Tenure> left) {
        if (state == State.DRAINED) {
            underWay.ifPresent(drain -> drain.add(left));
            if (left.isEmpty()) {
                end(DrainEnd.GIVEN_BACK);
            }
        }
    }

    /** Notes, where this replica is drained, why a step did not give all back; empty where nothing hindered it. */
    synchronized void noteHindrance(Optional<FencedException> why) {
        if (state == State.DRAINED) {
            underWay.ifPresent(drain -> drain.hindrance = why);
        }
    }

    /** A checkpoint is being made: until {@link #goOn}, nobody is served, whatever else this replica is told. */
    void stopForCheckpoint() {
        atCheckpoint = true;
    }

    /** The process goes on after a checkpoint. A drain that was under way is under way again. */
    void goOn() {
        atCheckpoint = false;
    }

    /** Whether a checkpoint is being made. */
    boolean isAtCheckpoint() {
        return atCheckpoint;
    }

    /** Why nothing is served nor claimed; empty while callers are served. */
    Optional<FencedException> refusal() {
        return Optional.ofNullable(refusalNow());
    }

    private @Nullable FencedException refusalNow() {
        return switch (state) {
            case OPEN, LEAVING -> atCheckpoint ? toldAtCheckpoint : null;
            case DRAINED -> atCheckpoint ? toldAtCheckpoint : toldWhenDrained;
            case CLOSED -> toldWhenClosed;
        };
    }

    /** Throws why nothing is served nor claimed. */
    private void requireServing() {
        FencedException refusal = refusalNow();
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Throws, for the caller, where this is closed. */
    void requireNotClosed() {
        if (state == State.CLOSED) {
            throw toldWhenClosed.forCaller();
        }
    }

    /** Whether this is drained, and not closed. */
    boolean isDrained() {
        return state == State.DRAINED;
    }

    /** The same source, while callers are served. */
    TenureSource<Generator> until(TenureSource<Generator> source) {
        return () -> {
            requireServing();
            return source.current();
        };
    }

    /**
     * The state of a scheme, of whose slots this was just told: the same while callers are served; else none of them
     * serves.
     */
    SchemeStatus status(SchemeStatus ofSlots) {
        return refusal().map(ofSlots::refused).orElse(ofSlots);
    }
}
