package org.idallocator.service.resources;

import com.codahale.metrics.Counter;
import com.codahale.metrics.LockFreeExponentiallyDecayingReservoir;
import com.codahale.metrics.Meter;
import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import com.codahale.metrics.annotation.ResponseMeteredLevel;
import io.dropwizard.core.server.AbstractServerFactory;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.jetty.MutableServletContextHandler;
import java.util.List;
import java.util.Objects;
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
    private static final String REQUESTS = "requests";
    private static final String DISPATCHES = "dispatches";
    private static final String GETS = "get-requests";
    private static final String SUCCESSES = "2xx-responses";
    private static final List<String> TIMERS = List.of(REQUESTS, DISPATCHES, GETS);

    private final Counter active;
    private final Counter activeDispatches;
    private final Timer requests;
    private final Timer dispatches;
    private final Timer gets;
    private final Meter successes;

    private PassedCounts(MetricRegistry registry, String prefix) {
        active = registry.counter(MetricRegistry.name(prefix, "active-requests"));
        activeDispatches = registry.counter(MetricRegistry.name(prefix, "active-dispatches"));
        requests = registry.timer(MetricRegistry.name(prefix, REQUESTS));
        dispatches = registry.timer(MetricRegistry.name(prefix, DISPATCHES));
        gets = registry.timer(MetricRegistry.name(prefix, GETS));
        successes = registry.meter(MetricRegistry.name(prefix, SUCCESSES));
    }

    /**
     * Has the timers of a server that is not made yet keep their samples without a lock, as three of them hear of each request. They
     * tell the same as those that the server would make.
     *
     * @param server what will make the server
     */
    static void prepare(ServerFactory server, MetricRegistry registry) {
        if (server instanceof AbstractServerFactory factory) {
            for (String name : TIMERS) {
                registry.timer(MetricRegistry.name(prefix(factory), name), PassedCounts::timer);
            }
        }
    }

    private static Timer timer() {
        return new Timer(LockFreeExponentiallyDecayingReservoir.builder().build());
    }

    /**
     * Those of a server that has started. Empty where the server counts otherwise: by each status, or by a factory of its own.
     *
     * @param server what has made the server
     */
    static Optional<PassedCounts> of(ServerFactory server, MetricRegistry registry) {
        return server instanceof AbstractServerFactory factory
                        && factory.getResponseMeteredLevel() == ResponseMeteredLevel.COARSE
                        && registry.getMeters().containsKey(MetricRegistry.name(prefix(factory), SUCCESSES))
                ? Optional.of(new PassedCounts(registry, prefix(factory)))
                : Optional.empty();
    }

    private static String prefix(AbstractServerFactory factory) {
        return Objects.requireNonNullElse(factory.getMetricPrefix(), PREFIX);
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
