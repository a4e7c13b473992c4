package org.idallocator.service.resources;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Meter;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import com.codahale.metrics.annotation.ResponseMeteredLevel;
import io.dropwizard.core.server.AbstractServerFactory;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.jetty.MutableServletContextHandler;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.NanoTime;

/**
 * The metrics by which Dropwizard counts the requests of the application's context, for GETs that are answered with 200 before they
 * come there. Thread-safe.
 */
final class PassedCounts {
    private static final String PREFIX = MutableServletContextHandler.class.getName();

    private final Counter active;
    private final Counter activeDispatches;
    private final Timer requests;
    private final Timer dispatches;
    private final Timer gets;
    private final Meter successes;

    private PassedCounts(MetricRegistry registry, String prefix) {
        active = registry.counter(MetricRegistry.name(prefix, "active-requests"));
        activeDispatches = registry.counter(MetricRegistry.name(prefix, "active-dispatches"));
        requests = registry.timer(MetricRegistry.name(prefix, "requests"));
        dispatches = registry.timer(MetricRegistry.name(prefix, "dispatches"));
        gets = registry.timer(MetricRegistry.name(prefix, "get-requests"));
        successes = registry.meter(MetricRegistry.name(prefix, "2xx-responses"));
    }

    /**
     * Those of a server that has started. Empty where the server counts otherwise: by each status, or by a factory of its own.
     *
     * @param server what has made the server
     */
    static Optional<PassedCounts> of(ServerFactory server, MetricRegistry registry) {
        if (!(server instanceof AbstractServerFactory factory)
                || factory.getResponseMeteredLevel() != ResponseMeteredLevel.COARSE) {
            return Optional.empty();
        }
        String prefix = Optional.ofNullable(factory.getMetricPrefix()).orElse(PREFIX);
        return registry.getTimers().containsKey(MetricRegistry.name(prefix, "get-requests"))
                ? Optional.of(new PassedCounts(registry, prefix))
                : Optional.empty();
    }

    /** A request is about to be answered. */
    void begins() {
        activeDispatches.inc();
        active.inc();
    }

    /** The request was answered. */
    void ends(Request request) {
        long millis = NanoTime.millisSince(request.getHeadersNanoTime());
        activeDispatches.dec();
        dispatches.update(millis, TimeUnit.MILLISECONDS);
        successes.mark();
        active.dec();
        requests.update(millis, TimeUnit.MILLISECONDS);
        gets.update(millis, TimeUnit.MILLISECONDS);
    }
}
