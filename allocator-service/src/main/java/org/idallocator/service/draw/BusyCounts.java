package org.idallocator.service.draw;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** How many were refused as busy since the start, by the limit that refused them. Thread-safe; to count takes no lock. */
public final class BusyCounts {
    private final Map<Limit, LongAdder> byLimit = Arrays.stream(Limit.values())
            .collect(Collectors.toUnmodifiableMap(limit -> limit, limit -> new LongAdder()));

    /** This limit has refused somebody. */
    void refused(Limit limit) {
        of(limit).increment();
    }

    private LongAdder of(Limit limit) {
        return Objects.requireNonNull(byLimit.get(limit));
    }

    /** How many this limit has refused. */
    public long count(Limit limit) {
        return of(limit).sum();
    }

    /** How many each limit has refused, by the name of the limit; all limits are there. */
    public Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        Arrays.stream(Limit.values()).forEach(limit -> counts.put(limit.toString(), count(limit)));
        return counts;
    }
}
