package org.idallocator.service.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBucket;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which bucket takes which time. */
class LatenciesTest {
    private final Latencies latencies = new Latencies();

    private HistogramDataPointSnapshot now() {
        return latencies.snapshot(Labels.of("route", "/ids"));
    }

    private Map<Double, Long> filled() {
        Map<Double, Long> filled = new TreeMap<>();
        for (ClassicHistogramBucket bucket : now().getClassicBuckets()) {
            if (bucket.getCount() > 0) {
                filled.put(bucket.getUpperBound(), bucket.getCount());
            }
        }
        return filled;
    }

    @Test
    void shouldIncludeTheBoundInItsBucket() {
        latencies.add(1_000_000);
        latencies.add(1_000_001);

        assertEquals(Map.of(0.001, 1L, 0.0025, 1L), filled());
    }

    @Test
    void shouldTakeWhatIsBeyondAllBounds() {
        latencies.add(Long.MAX_VALUE);
        latencies.add(10_000_000_000L);

        assertEquals(Map.of(10.0, 1L, Double.POSITIVE_INFINITY, 1L), filled());
    }

    @Test
    void shouldAddUp() {
        Arrays.stream(new long[] {500_000_000, 250_000_000, -7}).forEach(latencies::add);

        assertEquals(3, now().getCount());
        assertEquals(0.75, now().getSum());
    }
}
