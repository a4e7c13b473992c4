package org.idallocator.service.embedded;

import java.time.Duration;

/** How long to wait before the next attempt: twice as long each time, up to a longest. Not thread-safe. */
final class BackOff {
    private final Duration shortest;
    private final Duration longest;
    private Duration next;

    BackOff(Duration shortest, Duration longest) {
        this.shortest = shortest;
        this.longest = longest;
        this.next = shortest;
    }

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
