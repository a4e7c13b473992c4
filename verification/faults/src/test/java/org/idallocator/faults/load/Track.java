package org.idallocator.faults.load;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What came from one replica, or through the load balancer, over time. Thread-safe. */
public final class Track {
    private final String replica;
    private final Map<String, AtomicLong> latestMicros = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> singles = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> batches = new ConcurrentHashMap<>();
    private final Map<String, Phases> phases = new ConcurrentHashMap<>();

    Track(String replica) {
        this.replica = replica;
    }

    public String replica() {
        return replica;
    }

    void received(String scheme, long lastMicros) {
        latestMicros
                .computeIfAbsent(scheme, name -> new AtomicLong(Long.MIN_VALUE))
                .accumulateAndGet(lastMicros, Math::max);
    }

    void single(String scheme, Outcome outcome, long sentNanos, long answeredNanos) {
        count(singles, outcome);
        phases(scheme).add(outcome, sentNanos, answeredNanos);
    }

    void batch(Outcome outcome) {
        count(batches, outcome);
    }

    private static void count(Map<String, LongAdder> counts, Outcome outcome) {
        counts.computeIfAbsent(outcome.name(), name -> new LongAdder()).increment();
    }

    /** The latest time that any ID of a scheme carried, microseconds since 1970; the least long before the first. */
    public long latestMicros(String scheme) {
        AtomicLong latest = latestMicros.get(scheme);
        return latest == null ? Long.MIN_VALUE : latest.get();
    }

    /** Requests for one ID, by how they ended. */
    public Map<String, Long> singles() {
        return sums(singles);
    }

    /** Requests for many IDs, by how they ended. */
    public Map<String, Long> batches() {
        return sums(batches);
    }

    /** Requests of either kind. */
    public long requests() {
        return failed() + served(singles()) + served(batches());
    }

    /** Requests of either kind that were not served. */
    public long failed() {
        return failed(singles()) + failed(batches());
    }

    private static long served(Map<String, Long> counts) {
        return counts.getOrDefault(Outcome.OK.name(), 0L);
    }

    private static long failed(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(count -> count).sum() - served(counts);
    }

    private static Map<String, Long> sums(Map<String, LongAdder> adders) {
        Map<String, Long> counts = new TreeMap<>();
        adders.forEach((name, count) -> counts.put(name, count.sum()));
        return counts;
    }

    /** Requests for one ID of a scheme; one after the other where one client asks. */
    public Phases phases(String scheme) {
        return phases.computeIfAbsent(scheme, name -> new Phases());
    }
}
