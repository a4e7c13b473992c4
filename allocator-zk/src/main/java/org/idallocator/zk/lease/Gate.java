package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;
import org.idallocator.zk.epoch.Fencing;
import org.jspecify.annotations.Nullable;

/**
 * Whether this replica serves at all: it is open, drained, or closed. Callers are told of a gate that is not open before
 * anything else, and nothing is claimed then. The lease thread steps on for a while after the gate was shut, and may claim, renew
 * and refuse then; no such step can tell callers otherwise. A drained replica is opened again by {@link #resume}; nothing opens
 * what was closed. That a replica is drained, callers hear of its gate alone: a slot that was given back says so until the lease
 * thread, which ZooKeeper may keep waiting, has heard of the end of the drain. Thread-safe.
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

    /** What callers are told between the end of a drain and the first claim. */
    static FencedException resumed() {
        return Fencing.of(FenceReason.STARTING, "resumed, waits for ZooKeeper");
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
            try {
                return source.current();
            } catch (FencedException e) {
                throw asOfNow(e);
            }
        };
    }

    /** The state of a scheme: the one that {@code open} tells, while the gate is open; else none of its slots serves. */
    SchemeStatus status(Supplier<SchemeStatus> open) {
        FencedException now = told;
        return now == null ? asOfNow(open.get()) : open.get().refused(now);
    }

    private SchemeStatus asOfNow(SchemeStatus status) {
        return new SchemeStatus(
                status.scheme(),
                status.fenced().map(this::asOfNow),
                status.slot(),
                status.slots(),
                status.lacking().map(this::asOfNow));
    }

    /** What a slot says, which may not have heard yet that a drain has ended. */
    private FencedException asOfNow(FencedException why) {
        return why.reason() == FenceReason.DRAINED ? refusal().orElseGet(Gate::resumed) : why;
    }
}
