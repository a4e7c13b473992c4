package org.idallocator.service.metrics;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.EventsHandler;
import org.eclipse.jetty.util.NanoTime;
import org.jspecify.annotations.Nullable;

/** Metrics of the requests on the application port, by route and outcome. Thread-safe. */
public final class RequestMetrics {
    private static final String ABORTED = "aborted";
    private static final String IDS = "/ids/{scheme}";
    private static final String OTHER = "other";
    private static final List<String> OF_IDS = List.of("/ids", IDS, IDS + "/{id}");
    private static final double SECOND_NANOS = 1e9;

    /** Others become one: a client can make up as many as it likes. */
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE");

    private final Counter requests;
    private final Histogram durations;

    public RequestMetrics(PrometheusRegistry registry) {
        requests = Counter.builder()
                .name("id_allocator_http_requests_total")
                .help(
                        "Requests on the application port, by route, method and status; aborted where the connection was closed")
                .labelNames("route", "method", "status")
                .withoutExemplars()
                .register(registry);
        durations = Histogram.builder()
                .name("id_allocator_http_request_duration_seconds")
                .help("How long requests took, from their headers to the end of the answer, by route")
                .labelNames("route")
                .classicOnly()
                .classicUpperBounds(
                        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
                .withoutExemplars()
                .register(registry);
    }

    /** Whether a path is that of a route, where {@code root} is what comes before the paths of the routes. */
    public static boolean isRoute(String root, String path) {
        return !route(root, path).equals(OTHER);
    }

    private static String route(String root, String path) {
        if (!path.startsWith(root + "/")) {
            return OTHER;
        }
        List<String> parts = List.of(path.substring(root.length() + 1).split("/"));
        return switch (parts.get(0)) {
            case "ids" -> parts.size() <= OF_IDS.size() ? OF_IDS.get(parts.size() - 1) : OTHER;
            case "leases", "openapi.json" -> parts.size() == 1 ? "/" + parts.get(0) : OTHER;
            case "problems" -> "/problems/{reason}";
            default -> OTHER;
        };
    }

    /**
     * Counts requests when they are over, whoever answers.
     *
     * @param counted which requests are counted
     * @param root what comes before the paths of the routes: nothing, or such as {@code /api}
     */
    public Handler.Singleton handler(Predicate<Request> counted, String root) {
        return new Counting(counted, root);
    }

    /** What counts single IDs. Whoever counts many keeps it. */
    public Ids ids() {
        return new Ids(this);
    }

    /** Counts plain GETs for one ID. Thread-safe. */
    public static final class Ids {
        private final CounterDataPoint sent;
        private final CounterDataPoint aborted;
        private final DistributionDataPoint durations;

        private Ids(RequestMetrics metrics) {
            sent = metrics.requests.labelValues(IDS, "GET", "200");
            aborted = metrics.requests.labelValues(IDS, "GET", ABORTED);
            durations = metrics.durations.labelValues(IDS);
        }

        /** A request is over, so many nanoseconds after its headers were read; {@code whole} is whether the answer was sent. */
        public void ended(boolean whole, long nanos) {
            (whole ? sent : aborted).inc();
            durations.observe(nanos / SECOND_NANOS);
        }
    }

    private final class Counting extends EventsHandler {
        /** The attribute of a request whose answer could not be written. */
        private static final String UNWRITTEN = "org.idallocator.unwritten";

        private final Predicate<Request> counted;
        private final String root;

        Counting(Predicate<Request> counted, String root) {
            this.counted = counted;
            this.root = root;
        }

        /** A servlet may end in order all the same, on a connection that was closed. */
        @Override
        protected void onResponseWriteComplete(Request request, @Nullable Throwable failure) {
            if (failure != null) {
                request.setAttribute(UNWRITTEN, true);
            }
        }

        @Override
        protected void onComplete(Request request, int status, HttpFields headers, @Nullable Throwable failure) {
            if (counted.test(request)) {
                String path = request.getHttpURI().getCanonicalPath();
                String route = path == null ? OTHER : route(root, path);
                String method = METHODS.contains(request.getMethod()) ? request.getMethod() : OTHER;
                boolean whole = failure == null && request.getAttribute(UNWRITTEN) == null;
                requests.labelValues(route, method, whole ? String.valueOf(status) : ABORTED)
                        .inc();
                durations.labelValues(route).observe(NanoTime.since(request.getHeadersNanoTime()) / SECOND_NANOS);
            }
        }
    }
}
