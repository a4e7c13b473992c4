package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;
import org.jspecify.annotations.Nullable;

/**
 * Whether this replica serves at all: it is open, drained, or closed. Callers are told of a gate that is not open before
 * anything else, and nothing is claimed then. The lease thread steps on for a while after the gate was shut, and may claim, renew
 * and refuse then; no such step can tell callers otherwise. A drained replica is opened again by {@link #resume}; nothing opens
 * what was closed. Thread-safe.
 */
final class Gate {
    private static final Duration RETRY = Duration.ofSeconds(1);

    private volatile @Nullable FencedException told;

    /** From now on everybody is told that this replica is drained; nothing changes where it is closed. */
    synchronized void drain() {
        if (told == null) {
            told = shut(FenceReason.DRAINED);
        }
    }

    /** Opens what was drained; nothing changes where this is closed. */
    synchronized void resume() {
        if (drained()) {
            told = null;
        }
    }

    /** From now on everybody is told that this replica is closed. */
    synchronized void close() {
        told = shut(FenceReason.CLOSED);
    }

    private static FencedException shut(FenceReason reason) {
        return new FencedException(reason, reason.sentence(), RETRY);
    }

    /** Why nothing is served nor claimed; empty while the gate is open. */
    Optional<FencedException> refusal() {
        return Optional.ofNullable(told);
    }

    /** Whether this is drained, and not closed. */
    boolean drained() {
        FencedException now = told;
        return now != null && now.reason() == FenceReason.DRAINED;
    }

    /** The same source, while the gate is open. */
    TenureSource<Generator> until(TenureSource<Generator> source) {
        return () -> {
            FencedException now = told;
            if (now != null) {
                throw now;
            }
            return source.current();
        };
    }

    /** The state of a scheme: the one that {@code open} tells, while the gate is open; else none of its slots serves. */
    SchemeStatus status(Supplier<SchemeStatus> open) {
        FencedException now = told;
        return now == null ? open.get() : open.get().refused(now);
    }
}
