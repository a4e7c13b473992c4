package org.idallocator.service.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Metrics of the requests on the application port, by route and outcome. Thread-safe. */
public final class RequestMetrics {
    /** The outcome of a request whose answer did not come to its end, because the client or this replica closed the connection. */
    public static final String ABORTED = "aborted";

    private static final String DURATION = "id_allocator_http_request_duration_seconds";

    /** Others become one: a client can make up as many as it likes. */
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE");

    private final Counter requests;
    private final Map<String, Latencies> byRoute = new ConcurrentHashMap<>();

    public RequestMetrics(PrometheusRegistry registry) {
        requests = Counter.builder()
                .name("id_allocator_http_requests_total")
                .help(
                        "Requests on the application port, by route, method and status; aborted where the connection was closed")
                .labelNames("route", "method", "status")
                .withoutExemplars()
                .register(registry);
        registry.register(new Collector() {
            @Override
            public MetricSnapshot collect() {
                return durations();
            }

            @Override
            public String getPrometheusName() {
                return DURATION;
            }
        });
    }

    private HistogramSnapshot durations() {
        HistogramSnapshot.Builder histogram = HistogramSnapshot.builder()
                .name(DURATION)
                .help("How long requests took, from their headers to the end of the answer, by route");
        byRoute.forEach((route, latencies) -> histogram.dataPoint(latencies.snapshot(Labels.of("route", route))));
        return histogram.build();
    }

    /**
     * Where requests are counted for a route, by a method, with this outcome. Whoever counts many keeps what this returns.
     *
     * @param route a path with names for what differs, or another name; there must be few
     * @param status three digits, or {@link #ABORTED}
     */
    public RequestCount count(String route, String method, String status) {
        return new RequestCount(
                requests.labelValues(route, METHODS.contains(method) ? method : "other", status),
                byRoute.computeIfAbsent(route, name -> new Latencies()));
    }
}
