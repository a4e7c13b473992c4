package org.idallocator.dropwizard.metrics;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.core.metrics.SummaryWithCallback;
import io.prometheus.metrics.instrumentation.dropwizard.DropwizardExports;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Where the allocator's metrics are registered: for Prometheus in a registry of their own, and as copies in
 * Dropwizard's. Names are given without what all have in common. A metric whose values are asked for at each scrape has
 * them from a function, which tells each with the values of its labels, in their order. Thread-safe.
 */
public final class Meters {
    private static final String PREFIX = "id_allocator_";
    private static final String COPIES = "id-allocator";
    private static final double SECOND_NANOS = 1e9;
    private static final double SECOND_MILLIS = 1e3;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final MetricRegistry dropwizard;

    /** Meters without a metric. What Dropwizard's registry has besides their copies is served with them. */
    public Meters(MetricRegistry dropwizard) {
        this.dropwizard = dropwizard;
        DropwizardExports.builder()
                .dropwizardRegistry(dropwizard)
                .metricFilter((name, metric) -> !name.startsWith(COPIES + ".")) // are there already
                .register(registry);
    }

    /** What Prometheus scrapes. */
    public PrometheusRegistry registry() {
        return registry;
    }

    /** Registers what is counted where it happens. The name gets {@code _total} behind it. */
    public Counter counter(String name, String help, String... labels) {
        return Counter.builder()
                .name(total(name))
                .help(help)
                .labelNames(labels)
                .withoutExemplars()
                .register(registry);
    }

    /** Registers a count that somebody else keeps. The name gets {@code _total} behind it. */
    void counter(String name, String help, List<String> labels, Consumer<CounterWithCallback.Callback> counts) {
        CounterWithCallback.builder()
                .name(total(name))
                .help(help)
                .labelNames(labels.toArray(String[]::new))
                .callback(counts)
                .register(registry);
    }

    private static String total(String name) {
        return PREFIX + name + "_total";
    }

    /** Registers a value that goes up and down. */
    void gauge(String name, String help, List<String> labels, Consumer<GaugeWithCallback.Callback> values) {
        GaugeWithCallback.builder()
                .name(PREFIX + name)
                .help(help)
                .labelNames(labels.toArray(String[]::new))
                .callback(values)
                .register(registry);
    }

    /** Registers how many there were and their sum, which somebody else keeps. */
    void summary(String name, String help, List<String> labels, Consumer<SummaryWithCallback.Callback> sums) {
        SummaryWithCallback.builder()
                .name(PREFIX + name)
                .help(help)
                .labelNames(labels.toArray(String[]::new))
                .callback(sums)
                .register(registry);
    }

    /** Registers how many there were up to each of the bounds. */
    public Histogram histogram(String name, String help, double[] bounds, String... labels) {
        return Histogram.builder()
                .name(PREFIX + name)
                .help(help)
                .labelNames(labels)
                .classicOnly()
                .classicUpperBounds(bounds)
                .withoutExemplars()
                .register(registry);
    }

    /** Registers a text, as the label of a metric that is always 1. */
    void info(String name, String help, String label, String text) {
        Info.builder()
                .name(PREFIX + name)
                .help(help)
                .labelNames(label)
                .register(registry)
                .addLabelValues(text);
    }

    /**
     * Registers a metric in Dropwizard's registry, for the admin port's {@code /metrics} and for reporters that a
     * program configures. What has labels for Prometheus has them in the name here:
     * {@code id-allocator.sno.ids-issued}. The value is null while nothing is known.
     */
    void copy(Gauge<?> value, String... name) {
        dropwizard.register(MetricRegistry.name(COPIES, name), value);
    }

    /** The unit of all metrics of time is a second. */
    static double seconds(Duration duration) {
        return secondsOfNanos(duration.toNanos());
    }

    public static double secondsOfNanos(long nanos) {
        return nanos / SECOND_NANOS;
    }

    static double secondsOfMillis(long millis) {
        return millis / SECOND_MILLIS;
    }
}
