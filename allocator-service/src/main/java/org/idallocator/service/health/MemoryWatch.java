package org.idallocator.service.health;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.idallocator.core.clock.Clock;

/**
 * Notices that memory is used up although nobody says so: it asks for a little every second, and looks how much of the time
 * goes into collecting garbage. Some JVMs do that nearly all the time before they give up, for minutes, and answer nothing.
 */
final class MemoryWatch {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int SAMPLE_BYTES = 1 << 16;

    /** Work that is done is a tenth of what it should be, for so long: nothing to wait for any more. */
    private static final Duration WINDOW = Duration.ofSeconds(20);

    private static final double MOST = 0.9;

    private final Clock clock;
    private final LongSupplier collectingMillis;
    private final Runnable end;
    private long windowNanos;
    private long windowMillis;

    /** {@code collectingMillis} is how long the JVM has collected garbage, since its start. */
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

    /** Of those collectors that stop the program; others report the length of their cycles beside it. */
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

    /** Ends the process when a window is over in which hardly anything else was done than collecting. */
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

    /** Throws OutOfMemoryError where there is none left. */
    private static void ask(int bytes) {
        if (new byte[bytes].length != bytes) {
            throw new IllegalStateException("another array than was asked for");
        }
    }
}
