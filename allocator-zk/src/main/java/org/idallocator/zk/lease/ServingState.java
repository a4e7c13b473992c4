package org.idallocator.zk.lease;

import java.time.Duration;
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
 * Whether this replica serves: it is open, leaving, drained, or closed. Callers are told of a replica that is drained or closed before
 * anything else, and nothing is claimed then. The lease thread steps on for a while after that, and may claim, renew and refuse then;
 * no such step can tell callers otherwise. {@link #resume} opens a drained replica again; nothing opens what was closed.
 *
 * <p>Any thread asks for a drain; the lease thread gives back what there is, and says so here. Thread-safe.
 */
final class ServingState {
    private static final Logger LOG = LoggerFactory.getLogger(ServingState.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private volatile @Nullable FencedException told; // why nobody is served; null while this is open
    private @Nullable Drain drain; // announced, or being carried out

    /** One drain, and what came of it. The lease thread tells; whoever gave the order waits. Thread-safe. */
    static final class Drain {
        private final Set<Tenure> tenures = new CopyOnWriteArraySet<>();
        private final CompletableFuture<Boolean> givenBack = new CompletableFuture<>();
        private volatile Optional<FencedException> hindrance = Optional.empty();

        private Drain() {}

        /** Adds tenures that are to be given back, or are given back already. */
        void add(List<Tenure> more) {
            tenures.addAll(more);
        }

        /** All that were to be given back, also those that are given back already. */
        List<Tenure> tenures() {
            return List.copyOf(tenures);
        }

        /** Completes with true when all is given back, and with false where the replica is resumed or closed before. */
        CompletableFuture<Boolean> givenBack() {
            return givenBack;
        }

        /** Why the last step did not give all back; empty where nothing hindered it, and before the first. */
        Optional<FencedException> hindrance() {
            return hindrance;
        }
    }

    /**
     * Announces a drain: this replica serves on, and is to get no more requests. Where one is announced already, or is being carried
     * out, it is that one. It is at its end where this replica is drained and has given all back, and where it is closed.
     */
    synchronized Drain announce() {
        if (drain == null) {
            Drain next = new Drain();
            if (told != null) {
                next.givenBack.complete(drained());
                return next;
            }
            LOG.info("a drain is announced: this replica says that it is not ready, and serves on for a while");
            drain = next;
        }
        return drain;
    }

    /** Carries out a drain that was announced: from now on nobody is served. Does nothing where that drain was ended meanwhile. */
    synchronized void carryOut(Drain announced) {
        if (announced == drain && told == null) {
            LOG.info("drained: nobody is served from now on, and all slots are being given back");
            told = shut(FenceReason.DRAINED);
        }
    }

    /** Whether a drain is announced, and not carried out yet. */
    synchronized boolean leaving() {
        return drain != null && !drained();
    }

    /**
     * Ends a drain, also one that is only announced; says whether there was one. Whoever still waits for its end is told that not all
     * was given back.
     */
    synchronized boolean resume() {
        boolean was = drained() || drain != null;
        if (was) {
            LOG.info("resumed: slots that were given back are claimed again");
        }
        if (drained()) {
            told = null;
        }
        end(false);
        return was;
    }

    /** The replica is closed: from now on everybody is told so, and nobody waits for a drain any more. */
    synchronized void close() {
        told = shut(FenceReason.CLOSED);
        end(false);
    }

    private static FencedException shut(FenceReason reason) {
        return new FencedException(reason, reason.sentence(), RETRY);
    }

    private void end(boolean all) {
        if (drain != null) {
            drain.givenBack.complete(all);
            drain = null;
        }
    }

    /** Notes, where this replica was found drained, what is left to be given back; where there is nothing, the drain is at its end. */
    synchronized void noteLeft(List<Tenure> left) {
        if (drain != null && drained()) {
            drain.add(left);
            if (left.isEmpty()) {
                end(true);
            }
        }
    }

    /** Notes, where this replica is drained, why a step did not give all back; empty where nothing hindered it. */
    synchronized void noteHindrance(Optional<FencedException> why) {
        if (drain != null && drained()) {
            drain.hindrance = why;
        }
    }

    /** Why nothing is served nor claimed; empty while this is open. */
    Optional<FencedException> refusal() {
        return Optional.ofNullable(told);
    }

    /** Throws why nothing is served nor claimed. */
    void requireOpen() {
        FencedException now = told;
        if (now != null) {
            throw now;
        }
    }

    /** Whether this is drained, and not closed. */
    boolean drained() {
        FencedException now = told;
        return now != null && now.reason() == FenceReason.DRAINED;
    }

    /** The same source, while this is open. */
    TenureSource<Generator> until(TenureSource<Generator> source) {
        return () -> {
            requireOpen();
            return source.current();
        };
    }

    /** The state of a scheme, of whose slots this was just told: the same while this is open; else none of them serves. */
    SchemeStatus status(SchemeStatus ofSlots) {
        return refusal().map(ofSlots::refused).orElse(ofSlots);
    }
}
