package org.idallocator.service.embedded;

import java.time.Duration;

/** The waits between attempts. Each is twice as long as the one before, up to a longest wait. Not thread-safe. */
final class BackOff {
    private final Duration shortest;
    private final Duration longest;
    private Duration next;

    BackOff(Duration shortest, Duration longest) {
        this.shortest = shortest;
        this.longest = longest;
        this.next = shortest;
    }

    /** How long to wait before the next attempt. */
    Duration next() {
        Duration wait = next;
        Duration doubled = wait.multipliedBy(2);
        next = doubled.compareTo(longest) < 0 ? doubled : longest;
        return wait;
    }

    /** The next wait is the shortest again. */
    void reset() {
        next = shortest;
    }
}
