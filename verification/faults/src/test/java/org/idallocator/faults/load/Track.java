package org.idallocator.faults.load;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What came from one replica, or through the load balancer, over time. Thread-safe. */
public final class Track {
    private final String replica;
    private final Map<String, Long> latestMicros = new ConcurrentHashMap<>();
    private final Map<String, Long> singles = new ConcurrentSkipListMap<>();
    private final Map<String, Long> batches = new ConcurrentSkipListMap<>();
    private final Map<String, Phases> phases = new ConcurrentHashMap<>();

    Track(String replica) {
        this.replica = replica;
    }

    public String replica() {
        return replica;
    }

    void received(String scheme, long lastMicros) {
        latestMicros.merge(scheme, lastMicros, Math::max);
    }

    void single(String scheme, Outcome outcome, long sentNanos, long answeredNanos) {
        singles.merge(outcome.name(), 1L, Long::sum);
        phases(scheme).add(outcome, sentNanos, answeredNanos);
    }

    void batch(Outcome outcome) {
        batches.merge(outcome.name(), 1L, Long::sum);
    }

    /** The latest time that any ID of a scheme carried, microseconds since 1970; the least long before the first. */
    public long latestMicros(String scheme) {
        return latestMicros.getOrDefault(scheme, Long.MIN_VALUE);
    }

    /** Requests for one ID, by how they ended. */
    public Map<String, Long> singles() {
        return singles;
    }

    /** Requests for many IDs, by how they ended. */
    public Map<String, Long> batches() {
        return batches;
    }

    /** Requests of either kind. */
    public long requests() {
        return sum(how -> true);
    }

    /** Requests of either kind that were not served. */
    public long failed() {
        return sum(how -> !how.equals(Outcome.OK.name()));
    }

    private long sum(Predicate<String> outcome) {
        return Stream.of(singles, batches)
                .flatMap(counts -> counts.entrySet().stream())
                .filter(entry -> outcome.test(entry.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Requests for one ID of a scheme; one after the other where one client asks. */
    public Phases phases(String scheme) {
        return phases.computeIfAbsent(scheme, name -> new Phases());
    }
}
