package org.idallocator.dropwizard.metrics;

import com.google.common.collect.Maps;
import com.google.common.collect.Streams;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.AheadException;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.generator.TooFarAheadException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.dropwizard.ids.BusyException;
import org.idallocator.dropwizard.ids.ClientGoneException;
import org.idallocator.dropwizard.ids.IdListener;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.ids.Places;

/** Metrics of draws over HTTP. Thread-safe; counting takes no lock. */
public final class IdMetrics {
    private static final String BUSY = "busy";
    private static final String ERROR = "error";

    /** The reasons of exceptions without a code of their own. */
    private static final Map<Class<?>, String> REASONS = Map.of(
            OverCapacityException.class, "over-capacity",
            AheadException.class, "ahead",
            TooFarAheadException.class, "too-far-ahead",
            BusyException.class, BUSY,
            ClientGoneException.class, "client-gone");

    private final Map<String, SchemeCounters> byScheme;
    private final Counter busy;
    private final Meters meters;

    /**
     * Registers the counters, which begin with 0 for each scheme, reason and limit. To be called once for a
     * {@link Meters}.
     */
    public IdMetrics(Meters meters, List<Scheme<?>> schemes) {
        this.meters = meters;
        Counter issued = meters.counter("ids_issued", "IDs drawn for callers", "scheme");
        Counter refused = meters.counter(
                "draws_refused",
                "Draws that failed, by reason: of a fence, over-capacity, ahead, too-far-ahead, busy, client-gone, or error",
                "scheme",
                "reason");
        Counter waits = meters.counter(
                "waits", "Draws that had to wait for a tick, each counted once however often it waited", "scheme");
        Counter seconds = meters.counter("wait_seconds", "How long these draws waited, together", "scheme");
        List<String> names = schemes.stream().map(Scheme::name).toList();
        byScheme = Maps.toMap(names, name -> new SchemeCounters(name, issued, refused, waits, seconds));
        byScheme.forEach((name, counters) -> counters.register(meters, name));
        busy = meters.counter(
                "busy", "Requests refused as busy, by the limit of allocator.limits that refused them", "limit");
        busy().forEach((limit, none) -> meters.copy(() -> busy().get(limit), BUSY, limit));
    }

    /** Counts a request, or a connection, that a limit refuses. */
    public void countBusy(Limit limit) {
        busy.labelValues(limit.toString()).inc();
    }

    /** How many requests each limit has refused since the start, by the name of the limit; all limits are there. */
    public Map<String, Long> busy() {
        List<String> limits = Arrays.stream(Limit.values()).map(Limit::toString).toList();
        return Maps.toMap(limits, limit -> busy.labelValues(limit).getLongValue());
    }

    /** Shows how many places each limit has, how many are taken, and how many were given back. To be called once. */
    public void showPlaces(Map<Limit, Places> places) {
        gauge("places", "How many requests a limit of allocator.limits lets in at a time", places, Places::most);
        gauge("places_taken", "How many of them are let in now", places, Places::taken);
        meters.counter(
                "places_given_back",
                "How many of them are over; while all places are taken and this stands still, nobody else is served",
                List.of("limit"),
                metric -> places.forEach(
                        (limit, counted) -> metric.call((double) counted.givenBack(), limit.toString())));
    }

    private void gauge(String name, String help, Map<Limit, Places> places, ToIntFunction<Places> value) {
        meters.gauge(
                name,
                help,
                List.of("limit"),
                metric -> places.forEach((limit, counted) -> metric.call(value.applyAsInt(counted), limit.toString())));
        places.forEach((limit, counted) ->
                meters.copy(() -> value.applyAsInt(counted), name.replace('_', '-'), limit.toString()));
    }

    /** A listener that counts for the scheme of this name. */
    public IdListener listener(String scheme) {
        return of(scheme);
    }

    /** What was drawn from the scheme of this name since the start. */
    public Drawn drawn(String scheme) {
        return of(scheme).drawn();
    }

    private SchemeCounters of(String scheme) {
        return Objects.requireNonNull(byScheme.get(scheme), () -> "scheme " + scheme + " is not counted");
    }

    /**
     * What was drawn from one scheme since the start.
     *
     * @param issued how many IDs
     * @param refused how many draws failed, by reason; reasons without any are left out
     */
    public record Drawn(long issued, Map<String, Long> refused) {}

    private static Stream<String> reasons() {
        Stream<String> fences = Arrays.stream(FenceReason.values()).map(FenceReason::code);
        return Streams.concat(fences, REASONS.values().stream(), Stream.of(ERROR));
    }

    private static String reason(RuntimeException why) {
        return why instanceof FencedException fenced
                ? fenced.reason().code()
                : REASONS.getOrDefault(why.getClass(), ERROR);
    }

    /** The counters of one scheme. */
    private static final class SchemeCounters implements IdListener {
        private final CounterDataPoint issued;
        private final Map<String, CounterDataPoint> refused;
        private final CounterDataPoint waits;
        private final CounterDataPoint seconds;

        SchemeCounters(String scheme, Counter issued, Counter refused, Counter waits, Counter seconds) {
            this.issued = issued.labelValues(scheme);
            this.refused = Maps.toMap(reasons().iterator(), reason -> refused.labelValues(scheme, reason));
            this.waits = waits.labelValues(scheme);
            this.seconds = seconds.labelValues(scheme);
        }

        void register(Meters meters, String scheme) {
            meters.copy(issued::getLongValue, scheme, "ids-issued");
            meters.copy(this::refusals, scheme, "draws-refused");
            meters.copy(waits::getLongValue, scheme, "waits");
            meters.copy(seconds::get, scheme, "wait-seconds");
        }

        Drawn drawn() {
            Map<String, Long> failures = new TreeMap<>();
            refused.forEach((reason, count) -> failures.put(reason, count.getLongValue()));
            failures.values().removeIf(count -> count == 0);
            return new Drawn(issued.getLongValue(), failures);
        }

        private long refusals() {
            return refused.values().stream()
                    .mapToLong(CounterDataPoint::getLongValue)
                    .sum();
        }

        @Override
        public void issued(long ids) {
            issued.inc(ids);
        }

        @Override
        public void waited(long nanos, boolean first) {
            if (first) {
                waits.inc();
            }
            seconds.inc(Meters.secondsOfNanos(nanos));
        }

        @Override
        public void failed(RuntimeException why) {
            Objects.requireNonNull(refused.get(reason(why))).inc();
        }
    }
}
