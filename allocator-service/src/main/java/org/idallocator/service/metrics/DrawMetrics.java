package org.idallocator.service.metrics;

import com.codahale.metrics.Gauge;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.draw.BusyCounts;
import org.idallocator.service.draw.BusyException;
import org.idallocator.service.draw.CallerGoneException;
import org.idallocator.service.draw.DrawListener;
import org.idallocator.service.draw.Limit;

/** Metrics of what is drawn over HTTP. Thread-safe; to count takes no lock. */
public final class DrawMetrics {
    private static final double SECOND_NANOS = 1e9;
    private static final String OVER_CAPACITY = "over-capacity";
    private static final String BUSY = "busy";
    private static final String CLIENT_GONE = "client-gone";
    private static final String ERROR = "error";

    private final Map<String, OfScheme> byScheme;
    private final BusyCounts busy = new BusyCounts();

    /** Registers the counters for both; each begins with 0 for each scheme. */
    public DrawMetrics(PrometheusRegistry registry, DropwizardMetrics dropwizard, List<Scheme<?>> schemes) {
        Counter issued = Counter.builder()
                .name("id_allocator_ids_issued_total")
                .help("IDs drawn for callers")
                .labelNames("scheme")
                .withoutExemplars()
                .register(registry);
        Counter refused = Counter.builder()
                .name("id_allocator_draws_refused_total")
                .help("Draws that failed, by reason: of a fence, over-capacity, busy, client-gone, or error")
                .labelNames("scheme", "reason")
                .withoutExemplars()
                .register(registry);
        byScheme = schemes.stream()
                .map(Scheme::name)
                .collect(Collectors.toUnmodifiableMap(name -> name, name -> new OfScheme(name, issued, refused)));
        callback(
                registry,
                "id_allocator_waits_total",
                "Draws that had to wait for a tick, each counted once however often it waited",
                of -> of.waits.sum());
        callback(
                registry,
                "id_allocator_wait_seconds_total",
                "How long these draws waited, together",
                OfScheme::waitSeconds);
        byScheme.values().forEach(of -> of.register(dropwizard));
        CounterWithCallback.builder()
                .name("id_allocator_busy_total")
                .help("Requests refused as busy, by the limit of allocator.limits that refused them")
                .labelNames("limit")
                .callback(callback -> busy.counts().forEach((limit, count) -> callback.call((double) count, limit)))
                .register(registry);
        Arrays.stream(Limit.values())
                .forEach(limit -> dropwizard.register((Gauge<Long>) () -> busy.count(limit), BUSY, limit.toString()));
    }

    /** Counts the requests that are refused as busy. */
    public BusyCounts busy() {
        return busy;
    }

    private void callback(PrometheusRegistry registry, String name, String help, Function<OfScheme, Number> value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames("scheme")
                .callback(callback -> byScheme.forEach(
                        (scheme, of) -> callback.call(value.apply(of).doubleValue(), scheme)))
                .register(registry);
    }

    /** A listener that counts for the scheme of this name. */
    public DrawListener listener(String scheme) {
        return of(scheme);
    }

    private OfScheme of(String scheme) {
        OfScheme of = byScheme.get(scheme);
        if (of == null) {
            throw new IllegalArgumentException(
                    "scheme " + scheme + " is not counted; counted are " + byScheme.keySet());
        }
        return of;
    }

    /**
     * What was drawn of one scheme since the start.
     *
     * @param issued how many IDs
     * @param refused how many draws failed, by reason; without those of which none did
     */
    public record Drawn(long issued, Map<String, Long> refused) {}

    /** What was drawn of the scheme of this name so far. */
    public Drawn drawn(String scheme) {
        return of(scheme).drawn();
    }

    private static Stream<String> reasons() {
        return Stream.concat(
                Arrays.stream(FenceReason.values()).map(FenceReason::code),
                Stream.of(OVER_CAPACITY, BUSY, CLIENT_GONE, ERROR));
    }

    private static String reason(RuntimeException why) {
        if (why instanceof FencedException fenced) {
            return fenced.reason().code();
        }
        if (why instanceof CallerGoneException) {
            return CLIENT_GONE;
        }
        if (why instanceof BusyException) {
            return BUSY;
        }
        return why instanceof OverCapacityException ? OVER_CAPACITY : ERROR;
    }

    /** The counters of one scheme. */
    private static final class OfScheme implements DrawListener {
        private final String scheme;
        private final CounterDataPoint issued;
        private final Map<String, CounterDataPoint> refused;
        private final LongAdder waits = new LongAdder();
        private final LongAdder waitNanos = new LongAdder();

        OfScheme(String scheme, Counter issued, Counter refused) {
            this.scheme = scheme;
            this.issued = issued.labelValues(scheme);
            this.refused = reasons()
                    .collect(Collectors.toUnmodifiableMap(
                            reason -> reason, reason -> refused.labelValues(scheme, reason)));
        }

        void register(DropwizardMetrics dropwizard) {
            dropwizard.register((Gauge<Long>) issued::getLongValue, scheme, "ids-issued");
            dropwizard.register((Gauge<Long>) this::refusals, scheme, "draws-refused");
            dropwizard.register((Gauge<Long>) waits::sum, scheme, "waits");
            dropwizard.register((Gauge<Double>) this::waitSeconds, scheme, "wait-seconds");
        }

        Drawn drawn() {
            Map<String, Long> failures = new TreeMap<>();
            refused.forEach((reason, count) -> {
                if (count.getLongValue() > 0) {
                    failures.put(reason, count.getLongValue());
                }
            });
            return new Drawn(issued.getLongValue(), failures);
        }

        private long refusals() {
            return refused.values().stream()
                    .mapToLong(CounterDataPoint::getLongValue)
                    .sum();
        }

        private double waitSeconds() {
            return waitNanos.sum() / SECOND_NANOS;
        }

        @Override
        public void issued(long ids) {
            issued.inc(ids);
        }

        @Override
        public void waited(long nanos, boolean first) {
            if (first) {
                waits.increment();
            }
            waitNanos.add(nanos);
        }

        @Override
        public void failed(RuntimeException why) {
            Objects.requireNonNull(refused.get(reason(why))).inc();
        }
    }
}
