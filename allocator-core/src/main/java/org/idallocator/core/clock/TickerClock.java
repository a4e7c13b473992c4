package org.idallocator.core.clock;

import java.util.concurrent.locks.LockSupport;

/**
 * The machine's clocks for programs that draw many millions of IDs a second: a thread of its own reads them about every
 * millisecond, and {@link #recentNanos} and {@link #recentMicros} give what was read last, by whomever. {@link #micros} and {@link
 * #nanos} are those of {@link Clock#system}, and are never late.
 *
 * <pre>{@code
 * try (TickerClock clock = TickerClock.start()) {
 *     IdGenerator<Sno> snos = new LocalIds(Duration.ofSeconds(2), clock).sno(SnoPartition.of(7), SnoRange.ALL);
 *     Sno one = snos.next();
 * }
 * }</pre>
 *
 * <p><b>How late.</b> A millisecond, or as long as the machine leaves the thread waiting for a processor. After a pause of the
 * whole process the time is late by the pause, until the thread runs again. IDs stay unique whatever the clock tells: no guard
 * of uniqueness asks it. A tenure's deadline is noticed so much later too: after a pause that outlasted the deadline, a generator
 * may issue up to 255 more IDs, all of the tick that was in use before. Programs that want none of these draw by {@link
 * Clock#system}.
 *
 * <p><b>What it costs.</b> The thread uses about one percent of a processor as long as the clock is open. A closed clock, and
 * one whose thread has died, is as {@link Clock#system} and goes on.
 *
 * <p>Thread-safe.
 */
public final class TickerClock implements Clock, AutoCloseable {
    private static final long PERIOD_NANOS = 1_000_000;

    private final Clock exact;
    private final Thread ticker;
    private volatile long lastNanos;
    private volatile long lastMicros;
    private volatile boolean ticking = true;

    /** {@code exact} is read by whoever asks for exact time, and about every millisecond, by its own {@link Clock#park}. */
    TickerClock(Clock exact) {
        this.exact = exact;
        read();
        ticker = new Thread(this::tick, "clock-ticker");
        ticker.setDaemon(true);
    }

    /** A clock whose thread runs until {@link #close}. */
    public static TickerClock start() {
        return started(Clock.system());
    }

    static TickerClock started(Clock exact) {
        TickerClock clock = new TickerClock(exact);
        clock.ticker.start();
        return clock;
    }

    private void tick() {
        try {
            while (ticking) {
                read();
                exact.park(PERIOD_NANOS);
                Thread.interrupted(); // nobody's business here; a flag that stays set would end every park at once
            }
        } finally {
            ticking = false;
        }
    }

    private void read() {
        nanos();
        micros();
    }

    /** Exact, and recent for all others. */
    @Override
    public long micros() {
        long micros = exact.micros();
        lastMicros = micros;
        return micros;
    }

    /**
     * Exact, and recent for all others, unless another thread has read a later time before. A thread that is stopped between
     * reading and writing may put an earlier time in place of a later one, which stays until somebody reads next, the ticker at
     * the latest.
     */
    @Override
    public long nanos() {
        long nanos = exact.nanos();
        if (nanos - lastNanos > 0) {
            lastNanos = nanos;
        }
        return nanos;
    }

    @Override
    public long recentNanos() {
        return ticking ? lastNanos : exact.recentNanos();
    }

    @Override
    public long recentMicros(long recentNanos) {
        return ticking ? lastMicros : exact.recentMicros(recentNanos);
    }

    @Override
    public void park(long nanos) {
        exact.park(nanos);
    }

    /** Ends the thread. Whoever draws by this clock goes on, by exact time. */
    @Override
    public void close() {
        ticking = false;
        LockSupport.unpark(ticker);
    }
}
