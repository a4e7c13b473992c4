package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;

/**
 * Whether this replica is closed, which callers are told before anything else. The lease thread steps on for a while after the
 * close, and may claim, renew and refuse then; it knows nothing of this, so that no late step can tell callers otherwise.
 * Nothing opens again what was closed. Thread-safe.
 */
final class Closing {
    private final FencedException told =
            new FencedException(FenceReason.CLOSED, FenceReason.CLOSED.sentence(), Duration.ofSeconds(1));

    private volatile boolean closed;

    /** From now on everybody is told that this replica is closed. */
    void close() {
        closed = true;
    }

    /** The same source, until this is closed. */
    TenureSource<Generator> until(TenureSource<Generator> source) {
        return () -> {
            if (closed) {
                throw told;
            }
            return source.current();
        };
    }

    /** The state of a scheme: the one that {@code open} tells, until this is closed. */
    SchemeStatus status(String scheme, Supplier<SchemeStatus> open) {
        return closed ? new SchemeStatus(scheme, Optional.of(told), Optional.empty()) : open.get();
    }
}
