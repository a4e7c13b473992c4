package org.idallocator.service.health;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.draw.CallerGoneException;
import org.idallocator.service.draw.DrawListener;

/** Metrics of what is drawn over HTTP, for Prometheus. Thread-safe. */
public final class DrawMetrics {
    private final Counter issued;
    private final Counter refused;

    /** Registers the counters; that of IDs begins with 0 for each scheme. */
    public DrawMetrics(PrometheusRegistry registry, List<Scheme<?>> schemes) {
        issued = Counter.builder()
                .name("id_allocator_ids_issued_total")
                .help("IDs drawn for callers")
                .labelNames("scheme")
                .register(registry);
        refused = Counter.builder()
                .name("id_allocator_draws_refused_total")
                .help("Draws that failed, by reason: of a fence, over-capacity, client-gone, or error")
                .labelNames("scheme", "reason")
                .register(registry);
        schemes.forEach(scheme -> issued.initLabelValues(scheme.name()));
    }

    /** A listener that counts for the scheme of this name. */
    public DrawListener listener(String scheme) {
        CounterDataPoint ofScheme = issued.labelValues(scheme);
        return new DrawListener() {
            @Override
            public void issued(long ids) {
                ofScheme.inc(ids);
            }

            @Override
            public void failed(RuntimeException why) {
                refused.labelValues(scheme, reason(why)).inc();
            }
        };
    }

    /**
     * What was drawn of one scheme since the start.
     *
     * @param issued how many IDs
     * @param refused how many draws failed, by reason
     */
    public record Drawn(long issued, Map<String, Long> refused) {
        /** Nothing yet. */
        public static final Drawn NOTHING = new Drawn(0, Map.of());
    }

    /** What was drawn of the scheme of this name so far. */
    public Drawn drawn(String scheme) {
        Map<String, Long> failures = new TreeMap<>();
        for (CounterSnapshot.CounterDataPointSnapshot point : refused.collect().getDataPoints()) {
            if (scheme.equals(point.getLabels().get("scheme"))) {
                failures.put(String.valueOf(point.getLabels().get("reason")), (long) point.getValue());
            }
        }
        return new Drawn(issued.labelValues(scheme).getLongValue(), failures);
    }

    private static String reason(RuntimeException why) {
        if (why instanceof FencedException fenced) {
            return fenced.reason().code();
        }
        if (why instanceof CallerGoneException) {
            return "client-gone";
        }
        return why instanceof OverCapacityException ? "over-capacity" : "error";
    }
}
