package org.idallocator.service.server;

import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.EventsHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;
import org.idallocator.dropwizard.http.BasePath;
import org.idallocator.dropwizard.http.Route;
import org.idallocator.dropwizard.metrics.Meters;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of the requests on the application port, by route, method and outcome. A request that comes through this
 * handler is counted when it ends, whoever answers. A handler in front of this one counts its own answers by
 * {@link #outcome}. Thread-safe.
 */
final class RequestMetrics extends EventsHandler {
    /** The outcome of a request whose answer broke off, because the client or this replica closed the connection. */
    static final String ABORTED = "aborted";

    /** The route of a request that is for none of the routes. */
    static final String OTHER = "other";

    /** The methods that are counted by name. All others are counted as one, because a client can make up any number. */
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE");

    /** The upper bounds of the histogram, in seconds, inclusive. */
    private static final double[] BOUNDS = {
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
    };

    private final Counter requests;
    private final Histogram durations;
    private final BasePath base;

    /** {@code base} is what comes before the paths of the routes. */
    RequestMetrics(Meters meters, BasePath base) {
        this.base = base;
        requests = meters.counter(
                "http_requests",
                "Requests on the application port, by route, method and status; aborted where the connection was closed",
                "route",
                "method",
                "status");
        durations = meters.histogram(
                "http_request_duration_seconds",
                "How long requests took, from their headers to the end of the answer, by route",
                BOUNDS,
                "route");
    }

    /**
     * The counters for one route, method and outcome. Whoever counts many requests should keep the result.
     *
     * @param status three digits, or {@link #ABORTED}
     */
    Outcome outcome(String route, String method, String status) {
        return new Outcome(
                requests.labelValues(route, METHODS.contains(method) ? method : OTHER, status),
                durations.labelValues(route));
    }

    /** Counts requests of one route, method and outcome. Thread-safe. */
    static final class Outcome {
        private final CounterDataPoint requests;
        private final DistributionDataPoint durations;

        private Outcome(CounterDataPoint requests, DistributionDataPoint durations) {
            this.requests = requests;
            this.durations = durations;
        }

        /** Counts a request that has ended {@code nanos} nanoseconds after its headers were read. */
        void count(long nanos) {
            requests.inc();
            durations.observe(Meters.secondsOfNanos(nanos));
        }
    }

    /**
     * A callback that counts the request as {@code sent} or, where the answer could not be sent, as {@code aborted}.
     */
    static Callback counting(Outcome sent, Outcome aborted, Request request, Callback callback) {
        long fromNanos = request.getHeadersNanoTime();
        return Callback.from(
                callback.getInvocationType(),
                () -> {
                    sent.count(NanoTime.since(fromNanos));
                    callback.succeeded();
                },
                why -> {
                    aborted.count(NanoTime.since(fromNanos));
                    callback.failed(why);
                });
    }

    private String route(String path) {
        String before = base.inContext();
        return path.startsWith(before)
                ? Route.of(path.substring(before.length())).map(Route::path).orElse(OTHER)
                : OTHER;
    }

    @Override
    protected void onComplete(Request request, int status, HttpFields headers, @Nullable Throwable failure) {
        outcome(
                        route(Request.getPathInContext(request)),
                        Request.unWrap(request).getMethod(), // a HEAD is answered as a GET
                        failure == null ? String.valueOf(status) : ABORTED)
                .count(NanoTime.since(request.getHeadersNanoTime()));
    }
}
