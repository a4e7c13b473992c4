package org.idallocator.core.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TickerClockTest {
    private final Exact exact = new Exact();
    private final TickerClock clock = TickerClock.started(exact);

    @AfterEach
    void close() {
        clock.close();
        exact.mayGoOn.release(1_000);
    }

    @Test
    void shouldBeLateUntilThreadReadsAgain() {
        parked();
        exact.nanos.set(7_000);
        exact.micros.set(7);

        assertEquals(0, clock.recentNanos());
        assertEquals(0, clock.recentMicros(0));
        exact.mayGoOn.release();
        parked();
        assertEquals(7_000, clock.recentNanos());
        assertEquals(7, clock.recentMicros(7_000));
    }

    @Test
    void shouldBeRecentWhenAnybodyReadsExactly() {
        parked();
        exact.nanos.set(7_000);
        exact.micros.set(7);

        assertEquals(7_000, clock.nanos());
        assertEquals(7, clock.micros());

        assertEquals(7_000, clock.recentNanos());
        assertEquals(7, clock.recentMicros(7_000));
    }

    @Test
    void shouldFollowWallClockWhenPutBack() {
        parked();
        exact.micros.set(-50);
        clock.micros();

        assertEquals(-50, clock.recentMicros(0));
    }

    @Test
    void shouldNotStepBackWhenLaterTimeWasReadMeanwhile() {
        parked();
        exact.nanos.set(7_000);
        clock.nanos();
        exact.nanos.set(6_000);

        assertEquals(6_000, clock.nanos());
        assertEquals(7_000, clock.recentNanos());
    }

    @Test
    void shouldBeExactWhenClosed() {
        parked();
        clock.close();
        exact.nanos.set(7_000);
        exact.micros.set(7);

        assertEquals(7_000, clock.recentNanos());
        assertEquals(7, clock.recentMicros(7_000));
    }

    @Test
    void shouldBeExactWhenItsThreadHasDied() {
        parked();
        exact.broken = true;
        exact.nanos.set(7_000);
        assertEquals(0, clock.recentNanos());
        exact.mayGoOn.release();

        HangGuard.await()
                .dontCatchUncaughtExceptions() // the ticker's own end is what this waits for
                .until(() -> clock.recentNanos() == 7_000);
    }

    @Test
    void shouldBeCloseToSystemClockWhenStarted() {
        try (TickerClock started = TickerClock.start()) {
            long most = Proof.size(HangGuard.TIME, Duration.ofMinutes(1)).toNanos();
            long lateNanos = Clock.system().nanos() - started.recentNanos();

            assertTrue(lateNanos >= 0 && lateNanos < most, () -> "late by " + lateNanos);
        }
    }

    /** Waits until the ticker has read both clocks and is in its park. */
    private void parked() {
        exact.parked.acquireUninterruptibly();
    }

    /** Reads what the test says. Its park holds the ticker until the test lets it go on. */
    private static final class Exact implements Clock {
        private final AtomicLong nanos = new AtomicLong();
        private final AtomicLong micros = new AtomicLong();
        private final Semaphore parked = new Semaphore(0);
        private final Semaphore mayGoOn = new Semaphore(0);
        private volatile boolean broken;

        @Override
        public long micros() {
            return micros.get();
        }

        @Override
        public long nanos() {
            if (broken && Thread.currentThread().getName().equals("clock-ticker")) {
                throw new IllegalStateException("this test breaks the ticker's clock");
            }
            return nanos.get();
        }

        @Override
        public void park(long nanos) {
            parked.release();
            mayGoOn.acquireUninterruptibly();
        }
    }
}
