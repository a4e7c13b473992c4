package org.idallocator.service.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * How many took how long, in classic buckets of seconds. To add takes no lock and makes no garbage, also while somebody scrapes, where
 * the library's own histogram takes a lock. Thread-safe.
 */
final class Latencies {
    /** The buckets' upper bounds in seconds, inclusive; the last bucket has none. */
    static final double[] BOUNDS = {
        0.0001,
        0.00025,
        0.0005,
        0.001,
        0.0025,
        0.005,
        0.01,
        0.025,
        0.05,
        0.1,
        0.25,
        0.5,
        1,
        2.5,
        5,
        10,
        Double.POSITIVE_INFINITY
    };

    private static final double SECOND_NANOS = 1e9;
    private static final long[] BOUNDS_NANOS = Arrays.stream(BOUNDS)
            .mapToLong(bound -> Math.round(bound * SECOND_NANOS))
            .toArray();

    private final LongAdder[] counts =
            Stream.generate(LongAdder::new).limit(BOUNDS.length).toArray(LongAdder[]::new);
    private final LongAdder nanos = new LongAdder();

    /** One took so many nanoseconds; a negative number counts as 0. */
    void add(long tookNanos) {
        int bucket = 0;
        while (tookNanos > BOUNDS_NANOS[bucket]) {
            bucket++;
        }
        counts[bucket].increment();
        nanos.add(Math.max(0, tookNanos));
    }

    /** What was added so far. */
    HistogramDataPointSnapshot snapshot(Labels labels) {
        long[] now = Arrays.stream(counts).mapToLong(LongAdder::sum).toArray();
        return HistogramDataPointSnapshot.builder()
                .labels(labels)
                .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, now))
                .sum(nanos.sum() / SECOND_NANOS)
                .build();
    }
}
