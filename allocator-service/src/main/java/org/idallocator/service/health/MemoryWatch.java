package org.idallocator.service.health;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.idallocator.core.clock.Clock;

/**
 * Notices that memory is used up although no error tells so. Every second it allocates a little, and looks how much of the time
 * goes into collecting garbage: some JVMs collect nearly all the time for minutes before they give up, and answer nothing.
 */
final class MemoryWatch {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int SAMPLE_BYTES = 1 << 16;

    /** When a process did less than a tenth of its work for so long, there is nothing to wait for. */
    private static final Duration WINDOW = Duration.ofSeconds(20);

    private static final double MOST = 0.9;

    private final Clock clock;
    private final LongSupplier collectingMillis;
    private final Runnable end;
    private long windowNanos;
    private long windowMillis;

    /** {@code collectingMillis} gives the time for which the JVM has collected garbage since its start. */
    MemoryWatch(Clock clock, LongSupplier collectingMillis, Runnable end) {
        this.clock = clock;
        this.collectingMillis = collectingMillis;
        this.end = end;
        beginWindow();
    }

    /** Watches this process for as long as it lives. */
    static void start(Runnable end) {
        MemoryWatch watch = new MemoryWatch(Clock.system(), collecting(), end);
        Thread thread = new Thread(watch::watch, "memory-watch");
        thread.setDaemon(true);
        thread.start();
    }

    /** The time of those collectors that stop the program; others report cycles that run beside it. */
    private static LongSupplier collecting() {
        List<GarbageCollectorMXBean> stopping = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(collector -> !collector.getName().endsWith("Cycles"))
                .toList();
        return () -> {
            long millis = 0;
            for (int i = 0; i < stopping.size(); i++) {
                millis += Math.max(0, stopping.get(i).getCollectionTime());
            }
            return millis;
        };
    }

    private void watch() {
        while (true) {
            LockSupport.parkNanos(INTERVAL.toNanos());
            try {
                look();
                ask(SAMPLE_BYTES);
            } catch (VirtualMachineError e) {
                end.run();
            }
        }
    }

    /** Ends the process at the end of a window in which it hardly did anything but collect garbage. */
    void look() {
        long nanos = clock.nanos() - windowNanos;
        if (nanos < WINDOW.toNanos()) {
            return;
        }
        double collecting = (collectingMillis.getAsLong() - windowMillis) * 1e6;
        if (collecting > MOST * nanos) {
            end.run();
        }
        beginWindow();
    }

    private void beginWindow() {
        windowNanos = clock.nanos();
        windowMillis = collectingMillis.getAsLong();
    }

    /** Allocates; throws OutOfMemoryError when no memory is left. */
    private static void ask(int bytes) {
        if (new byte[bytes].length != bytes) {
            throw new IllegalStateException("another array than was asked for");
        }
    }
}
