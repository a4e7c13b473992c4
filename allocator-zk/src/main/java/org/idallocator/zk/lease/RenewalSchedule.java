package org.idallocator.zk.lease;

import java.time.Duration;
import org.idallocator.core.clock.Clock;

/**
 * When tenures are renewed: four times while a ceiling or a session would last, so that three renewals may fail. Confined to
 * the lease loop's thread.
 */
final class RenewalSchedule {
    private static final int RENEWALS_PER_WINDOW = 4;

    private final Clock clock;
    private final Duration window;
    private long periodNanos;
    private long renewedNanos;

    RenewalSchedule(Clock clock, Duration window) {
        this.clock = clock;
        this.window = window;
        this.renewedNanos = clock.nanos();
    }

    /** A session was granted this timeout, which may be shorter than the window. */
    void granted(Duration sessionTimeout) {
        periodNanos = Math.min(window.toNanos(), sessionTimeout.toNanos()) / RENEWALS_PER_WINDOW;
    }

    /** All tenures have been renewed just now, or there is none. */
    void renewed() {
        renewedNanos = clock.nanos();
    }

    /** How long the next renewal may wait; 0 when it is due. */
    long nanosUntilDue() {
        return Math.max(0, renewedNanos + periodNanos - clock.nanos());
    }
}
