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
 * Registers the allocator's metrics: for Prometheus in a registry of their own, and as copies in Dropwizard's registry.
 * Names are given without the prefix that all have in common. A metric that is read at each scrape has a callback,
 * which gets values together with their labels, in the order of the labels' names. Thread-safe.
 */
public final class Meters {
    private static final String PREFIX = "id_allocator_";
    private static final String COPIES = "id-allocator";
    private static final double SECOND_NANOS = 1e9;
    private static final double SECOND_MILLIS = 1e3;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final MetricRegistry dropwizard;

    /** Meters without metrics. Prometheus is also served all other metrics of Dropwizard's registry. */
    public Meters(MetricRegistry dropwizard) {
        this.dropwizard = dropwizard;
        DropwizardExports.builder()
                .dropwizardRegistry(dropwizard)
                .metricFilter((name, metric) -> !name.startsWith(COPIES + ".")) // the copies are registered already
                .register(registry);
    }

    /** The registry that Prometheus scrapes. */
    public PrometheusRegistry registry() {
        return registry;
    }

    /** Registers a counter that callers increment. {@code _total} is added to the name. */
    public Counter counter(String name, String help, String... labels) {
        return Counter.builder()
                .name(total(name))
                .help(help)
                .labelNames(labels)
                .withoutExemplars()
                .register(registry);
    }

    /** Registers a counter whose value is kept elsewhere. {@code _total} is added to the name. */
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

    /** Registers a gauge, whose value goes up and down. */
    void gauge(String name, String help, List<String> labels, Consumer<GaugeWithCallback.Callback> values) {
        GaugeWithCallback.builder()
                .name(PREFIX + name)
                .help(help)
                .labelNames(labels.toArray(String[]::new))
                .callback(values)
                .register(registry);
    }

    /** Registers a summary: a number of events and their sum, which are kept elsewhere. */
    void summary(String name, String help, List<String> labels, Consumer<SummaryWithCallback.Callback> sums) {
        SummaryWithCallback.builder()
                .name(PREFIX + name)
                .help(help)
                .labelNames(labels.toArray(String[]::new))
                .callback(sums)
                .register(registry);
    }

    /** Registers a histogram; {@code bounds} are its upper bounds, inclusive. */
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

    /** Registers a text as the label of a metric that is always 1. */
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
     * program configures. The value is null while nothing is known.
     *
     * @param name the parts of the name; what Prometheus has as a label is one of them, as {@code sno} is in
     *     {@code id-allocator.sno.ids-issued}
     */
    void copy(Gauge<?> value, String... name) {
        dropwizard.register(MetricRegistry.name(COPIES, name), value);
    }

    /** A duration in seconds, the unit of all metrics of time. */
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
