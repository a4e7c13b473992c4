package org.idallocator.service.bundle;

import io.dropwizard.core.Configuration;
import io.dropwizard.core.ConfiguredBundle;
import io.dropwizard.core.setup.AdminEnvironment;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.lifecycle.setup.LifecycleEnvironment;
import io.dropwizard.util.Generics;
import io.prometheus.metrics.exporter.servlet.jakarta.PrometheusMetricsServlet;
import io.prometheus.metrics.instrumentation.dropwizard.DropwizardExports;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Optional;
import org.idallocator.service.cli.Commands;
import org.idallocator.service.cli.SectionReader;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.draw.Dispenser;
import org.idallocator.service.draw.IdSource;
import org.idallocator.service.draw.LeasedIdSource;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.service.health.DrawMetrics;
import org.idallocator.service.health.HealthSetup;
import org.idallocator.service.health.LeaseMetrics;
import org.idallocator.service.resources.ClusterLeasesServlet;
import org.idallocator.service.resources.HttpApi;
import org.idallocator.zk.IdAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Adds an ID allocator to a Dropwizard program, which says where in its own configuration the allocator's section is:
 *
 * <pre>{@code
 * class ShopConfiguration extends Configuration {
 *     @JsonProperty
 *     AllocatorSection ids = new AllocatorSection();
 * }
 *
 * class Shop extends Application<ShopConfiguration> {
 *     final IdAllocatorBundle<ShopConfiguration> ids = new IdAllocatorBundle<>() {
 *         @Override
 *         protected AllocatorSection section(ShopConfiguration configuration) {
 *             return configuration.ids;
 *         }
 *     };
 *
 *     @Override
 *     public void initialize(Bootstrap<ShopConfiguration> bootstrap) {
 *         bootstrap.addBundle(ids);
 *     }
 *
 *     @Override
 *     public void run(ShopConfiguration configuration, Environment environment) {
 *         IdGenerator<Sno> orders = ids.allocator().sno();
 *     }
 * }
 * }</pre>
 *
 * <p>The program gets:
 *
 * <ul>
 *   <li>{@link #allocator}, which gives its slots back when the program stops; and the embedded ZooKeeper, where the section
 *       enables one
 *   <li>health checks: {@code leases} says whether the schemes serve, {@code lease-thread} whether the process has to be
 *       started again, and each scheme with leases has one of its own. All are listed at {@code /healthcheck} of the admin port.
 *       Dropwizard's {@code /health-check} counts those that the program names in its {@code health} section
 *   <li>on the admin port, {@code /prometheus} with the metrics of the allocator and of the program, and {@code /leases} with
 *       the leases of the whole cluster
 *   <li>the commands {@code generate}, {@code inspect}, {@code leases}, {@code doctor} and {@code fence-restore}, unless it
 *       overrides {@link #commands}
 *   <li>{@code /ids} and {@code /leases} on the application port, if it overrides {@link #routes}
 * </ul>
 *
 * <p>All else stays the program's own: its server, its commands, how it answers errors, and when its process ends. There is one
 * exception, for safety: the process ends with status 3 when the embedded ZooKeeper's directory is not its own any more, because
 * IDs might be issued twice. The bundle runs before the program's own {@code run}. One bundle serves one program.
 *
 * @param <C> the program's configuration; a subclass that is generic itself must fix it
 */
public abstract class IdAllocatorBundle<C extends Configuration> implements ConfiguredBundle<C> {
    private @Nullable IdAllocator connected;

    /** The allocator's section of the program's configuration; never null, also when the file leaves it out. */
    protected abstract AllocatorSection section(C configuration);

    /** Whether {@code /ids} and {@code /leases} are served on the application port. By default they are not. */
    protected boolean routes() {
        return false;
    }

    /** Whether the program gets the allocator's commands. By default it does; their names must not be those of its own. */
    protected boolean commands() {
        return true;
    }

    /**
     * The configuration file that {@code generate} and {@code leases} read when none is named, as the program's
     * {@code ConfigurationSourceProvider} opens it. By default there is none, and a file has to be named.
     */
    protected Optional<String> defaultFile() {
        return Optional.empty();
    }

    /** What {@code generate} and {@code inspect} read and write: by default, what the process does. */
    protected StandardStreams streams() {
        return StandardStreams.ofProcess();
    }

    /**
     * The allocator, connected or connecting, until the program stops.
     *
     * @throws IllegalStateException before the bundle has run, as in {@code initialize}
     */
    public final IdAllocator allocator() {
        IdAllocator allocator = connected;
        if (allocator == null) {
            throw new IllegalStateException("the allocator is there when the bundle has run, not before");
        }
        return allocator;
    }

    @Override
    public final void initialize(Bootstrap<?> bootstrap) {
        if (commands()) {
            Class<C> type = Generics.getTypeParameter(getClass(), Configuration.class);
            SectionReader<C> reader = new SectionReader<>(type, this::section, defaultFile());
            Commands.all(reader, streams()).forEach(bootstrap::addCommand);
        }
    }

    /**
     * Connects, and returns without waiting for ZooKeeper, except for an embedded one.
     *
     * @throws IllegalArgumentException naming the bad value of the section and what is allowed
     * @throws org.idallocator.service.embedded.EmbeddedStartException when the embedded ZooKeeper cannot start
     */
    @Override
    public final void run(C configuration, Environment environment) {
        AllocatorSection section = section(configuration);
        IdAllocator allocator = connect(section, environment.lifecycle());
        connected = allocator;
        IdSource source = new LeasedIdSource(allocator);
        HealthSetup.register(
                environment.healthChecks(),
                source,
                section.settings().zookeeper().sessionTimeout());
        PrometheusRegistry registry = new PrometheusRegistry();
        DropwizardExports.builder().dropwizardRegistry(environment.metrics()).register(registry);
        LeaseMetrics.register(registry, source);
        addAdminServlets(environment.admin(), registry, allocator);
        if (routes()) {
            DrawMetrics metrics = new DrawMetrics(registry, source.schemes());
            HttpApi.register(environment.jersey(), source, new Dispenser(source, metrics::listener));
        }
    }

    private static void addAdminServlets(AdminEnvironment admin, PrometheusRegistry registry, IdAllocator allocator) {
        admin.addServlet("id-allocator-metrics", new PrometheusMetricsServlet(registry))
                .addMapping("/prometheus");
        admin.addServlet("id-allocator-leases", new ClusterLeasesServlet(allocator.cluster(), allocator.schemes()))
                .addMapping("/leases/*");
    }

    /** What is managed first is stopped last: leases are released to a living ZooKeeper. */
    private static IdAllocator connect(AllocatorSection section, LifecycleEnvironment lifecycle) {
        Ensemble ensemble = Ensemble.of(section);
        lifecycle.manage(new ClosedAtStop(ensemble));
        IdAllocator allocator = IdAllocator.connect(ensemble.settings());
        lifecycle.manage(new ClosedAtStop(allocator));
        return allocator;
    }
}
