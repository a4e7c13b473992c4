package org.idallocator.service.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.zk.AllocatorSettings;
import org.idallocator.zk.IdAllocator;

/**
 * One scheme's slot, leased for one call. It is given back when this is closed, and when the process is told to end
 * (Ctrl-C) before that.
 */
final class CallLease<T extends Id> implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(20);

    private final Scheme<T> scheme;
    private final Ensemble ensemble;
    private final IdAllocator allocator;
    private final Thread atExit = new Thread(this::release);
    private final AtomicBoolean released = new AtomicBoolean();

    /** Takes over {@code ensemble}: it is closed with this. */
    CallLease(Scheme<T> scheme, Ensemble ensemble) {
        this.scheme = scheme;
        this.ensemble = ensemble;
        this.allocator = IdAllocator.connect(only(ensemble.settings(), scheme));
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** So that no slot is claimed that is not needed. */
    private static AllocatorSettings only(AllocatorSettings settings, Scheme<?> scheme) {
        return new AllocatorSettings(
                List.of(scheme),
                settings.zookeeper(),
                settings.window(),
                settings.maxClockSkew(),
                settings.maxWait(),
                settings.replica());
    }

    /** Waits for a slot; throws {@link FencedException} saying why there is none after half a minute. */
    IdGenerator<T> generator() {
        Clock clock = Clock.system();
        long start = clock.nanos();
        while (!allocator.status(scheme).active()) {
            if (clock.nanos() - start > PATIENCE.toNanos()) {
                throw allocator.status(scheme).fenced().orElseThrow();
            }
            clock.park(POLL.toNanos());
        }
        return allocator.generator(scheme);
    }

    @Override
    public void close() {
        release();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // the process is ending already
        }
    }

    private void release() {
        if (released.compareAndSet(false, true)) {
            allocator.close();
            ensemble.close();
        }
    }
}
