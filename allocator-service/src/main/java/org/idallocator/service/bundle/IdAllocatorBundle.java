package org.idallocator.service.bundle;

import io.dropwizard.core.Configuration;
import io.dropwizard.core.ConfiguredBundle;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.lifecycle.AutoCloseableManager;
import io.dropwizard.util.Duration;
import io.dropwizard.util.Generics;
import io.prometheus.metrics.exporter.servlet.jakarta.PrometheusMetricsServlet;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletRegistration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.id.BadValueException;
import org.idallocator.service.admin.AdminGuard;
import org.idallocator.service.admin.ClusterOperations;
import org.idallocator.service.admin.ReplicaOperations;
import org.idallocator.service.cli.DoctorCommand;
import org.idallocator.service.cli.FenceRestoreCommand;
import org.idallocator.service.cli.GenerateCommand;
import org.idallocator.service.cli.InspectCommand;
import org.idallocator.service.cli.Program;
import org.idallocator.service.cli.Streams;
import org.idallocator.service.cli.leases.LeasesCommand;
import org.idallocator.service.config.AllocatorConfiguration;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.console.Console;
import org.idallocator.service.embedded.ZooKeeperInUse;
import org.idallocator.service.health.ClusterWatch;
import org.idallocator.service.health.HealthSetup;
import org.idallocator.service.ids.IdService;
import org.idallocator.service.ids.Limits;
import org.idallocator.service.logging.AfterFailure;
import org.idallocator.service.metrics.IdMetrics;
import org.idallocator.service.metrics.Meters;
import org.idallocator.service.metrics.MetricsSetup;
import org.idallocator.service.resources.HttpApi;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.IdSource;
import org.idallocator.zk.settings.AllocatorSettings;
import org.jspecify.annotations.Nullable;

/**
 * Adds an ID allocator to a Dropwizard program. The program tells where in its own configuration the allocator's section is:
 *
 * <pre>{@code
 * class ShopConfiguration extends Configuration {
 *     @Valid
 *     @JsonProperty
 *     AllocatorSection ids = new AllocatorSection();
 * }
 *
 * class Shop extends Application<ShopConfiguration> {
 *     final IdAllocatorBundle<ShopConfiguration> ids =
 *             IdAllocatorBundle.of(ShopConfiguration.class, configuration -> configuration.ids);
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
 *   <li>{@link #allocator}, which releases its slots when the program stops, and an embedded ZooKeeper, if the section enables
 *       one
 *   <li>health checks: {@code leases} tells whether the schemes serve, {@code lease-thread} whether the process must be started
 *       again, and each scheme has a check of its own. {@code /healthcheck} on the admin port lists them all;
 *       Dropwizard's {@code /health-check} counts those that the program names in its {@code health} section
 *   <li>on the admin port, {@code /prometheus} with the metrics of the allocator and of the program, {@code /leases} with the
 *       leases of the whole cluster, {@code /fleet} with its replicas, {@code /console}, and what operators call: {@code /tasks/drain},
 *       {@code /tasks/resume} and {@code /tasks/rotate}, unless the program overrides {@link #adminServlets}; the server does not
 *       start where a bundle that ran before has a servlet at one of these paths; a servlet that the program adds there later, and
 *       a task of the program with one of these names, are not reached
 *   <li>with these, a guard in front of the whole admin port, the program's own pages and tasks too: only who shows the token of the
 *       section's {@code admin}, or a client certificate, has anything changed there; hosts that the port does not have, pages of
 *       elsewhere and the profiler are refused. Where the port listens is the program's own matter: its {@code
 *       server.adminConnectors} should have {@code bindHost: 127.0.0.1}, unless a network keeps strangers away
 *   <li>the commands {@code generate}, {@code inspect}, {@code leases}, {@code doctor} and {@code fence-restore}, unless the program
 *       overrides {@link #commands}
 *   <li>{@code /ids}, {@code /leases}, their description {@code /openapi.json}, {@code /problems} and {@code /console} on the
 *       application port, if the program overrides {@link #routes}
 * </ul>
 *
 * <p>All else stays the program's own: its server, its commands, how it answers errors, and when its process ends. Jersey answers the
 * routes; {@code limits.requests} and {@code cors} are the service's. There is one exception, for safety: when the embedded ZooKeeper's directory is not this process's own any more, IDs might be issued twice, and the process
 * ends with status 3. The bundle runs before the program's {@code run}. One bundle serves one program, and a program has one.
 * {@link #allocator} is thread-safe.
 *
 * @param <C> the program's configuration; a subclass that is generic itself must override {@link #configurationType}
 */
public abstract class IdAllocatorBundle<C extends Configuration> implements ConfiguredBundle<C> {
    private volatile @Nullable IdAllocator connected;
    private volatile String zookeeper = "none before the bundle has run";
    private volatile @Nullable CompletableFuture<ZooKeeperInUse> ahead;

    /** A bundle as it is by default, without routes. To choose otherwise, extend this class. */
    public static <C extends Configuration> IdAllocatorBundle<C> of(
            Class<C> configurationType, Function<C, AllocatorSection> section) {
        return new IdAllocatorBundle<>() {
            @Override
            protected Class<C> configurationType() {
                return configurationType;
            }

            @Override
            protected AllocatorSection section(C configuration) {
                return section.apply(configuration);
            }
        };
    }

    /** The class of the program's configuration: by default the one that the subclass names for {@code C}. */
    protected Class<C> configurationType() {
        return Generics.getTypeParameter(getClass(), Configuration.class);
    }

    /** The allocator's section of the program's configuration. Never null, also when the file leaves the section out. */
    protected abstract AllocatorSection section(C configuration);

    /**
     * Whether {@code /ids}, {@code /leases}, {@code /openapi.json}, {@code /problems} and {@code /console} are served on the
     * application port. By default they are not.
     */
    protected boolean routes() {
        return false;
    }

    /**
     * Whether {@code /prometheus}, {@code /leases}, {@code /fleet}, {@code /console} and the tasks {@code drain}, {@code resume} and {@code rotate}
     * are served on the admin port, behind a guard. By default they are; a program that has a servlet or a task of its own there
     * overrides this, and guards the port itself.
     */
    protected boolean adminServlets() {
        return true;
    }

    /**
     * Whether the console is at {@code /} as well as at {@code /console}, on each port that has it. By default it is not: what is at
     * {@code /} is the program's own matter.
     */
    protected boolean consoleInFront() {
        return false;
    }

    /**
     * Whether the program gets the allocator's commands. By default it does; then none of its own commands may have the name of
     * one of them.
     */
    protected boolean commands() {
        return true;
    }

    /**
     * The path of the configuration file that {@code generate}, {@code leases} and {@code doctor} read when none is named; the
     * program's {@code ConfigurationSourceProvider} opens it. By default there is none, and a file has to be named.
     */
    protected Optional<String> defaultFile() {
        return Optional.empty();
    }

    /** Puts handlers in front of the servlets of the routes. By default there are none, and Jersey alone answers. */
    protected void inFront(C configuration, Environment environment, IdService ids, Meters meters) {}

    /** The streams that {@code generate} and {@code inspect} read and write: by default those of the process. */
    protected Streams streams() {
        return Streams.ofProcess();
    }

    /**
     * The allocator, which is open until the program stops. It may still be connecting; {@link IdAllocator#awaitReady} waits.
     *
     * @throws IllegalStateException before the bundle has run: in {@code initialize}, or in a command without a server
     */
    public final IdAllocator allocator() {
        return Optional.ofNullable(connected)
                .orElseThrow(() -> new IllegalStateException("there is no allocator before the bundle has run"));
    }

    /**
     * Which ZooKeeper the allocator uses, in words for a log: the address, the directory of an embedded one, and the root. Until
     * the bundle has run, that there is none.
     */
    public final String zookeeper() {
        return zookeeper;
    }

    @Override
    public final void initialize(Bootstrap<?> bootstrap) {
        if (commands()) {
            Program<C> program = new Program<>(configurationType(), this::section, defaultFile(), streams());
            bootstrap.addCommand(new GenerateCommand(program));
            bootstrap.addCommand(new InspectCommand(program.streams()));
            bootstrap.addCommand(new LeasesCommand(program));
            bootstrap.addCommand(new DoctorCommand(program));
            bootstrap.addCommand(new FenceRestoreCommand(program));
        }
    }

    /**
     * Begins to open what {@link #run} needs, on a thread of its own. So an embedded ZooKeeper starts while Dropwizard makes the
     * program's environment, and the program serves sooner. A program calls this from a command of its own, once it has read its
     * configuration, or never. What cannot be opened is told by {@link #run}.
     */
    public final void openAhead(C configuration) {
        ahead = CompletableFuture.supplyAsync(() -> ZooKeeperInUse.of(section(configuration)), work -> {
            Thread thread = new Thread(work, "zookeeper-opening");
            thread.setDaemon(true); // a start that fails does not wait for it
            thread.start();
        });
    }

    private ZooKeeperInUse ensemble(C configuration) {
        CompletableFuture<ZooKeeperInUse> opening = ahead;
        try {
            return opening == null ? ZooKeeperInUse.of(section(configuration)) : opening.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }

    /**
     * Opens the allocator. Waits for an embedded ZooKeeper, which this process or another one starts, and for no other. What was
     * opened is closed again where this throws.
     *
     * @throws IllegalStateException when a bundle that ran before has a servlet at a path of the allocator's
     * @throws BadValueException naming the bad value of the section and what is allowed
     * @throws IllegalArgumentException naming a health check that the program has already, as with a second bundle
     * @throws org.idallocator.service.embedded.EmbeddedStartException when the embedded ZooKeeper cannot start
     */
    @Override
    public final void run(C configuration, Environment environment) {
        ZooKeeperInUse ensemble = ensemble(configuration);
        AutoCloseable opened = ensemble;
        try {
            IdAllocator allocator = IdAllocator.connect(ensemble.settings());
            opened = () -> {
                try (ensemble) {
                    allocator.close(); // first, so that the slots are released while an embedded ZooKeeper still runs
                }
            };
            register(configuration, environment, ensemble, allocator);
            environment.lifecycle().manage(new AutoCloseableManager(opened));
            connected = allocator;
            zookeeper = ensemble.description();
        } catch (RuntimeException e) {
            AfterFailure.close(e, opened);
            throw e;
        }
    }

    private void register(C configuration, Environment environment, ZooKeeperInUse ensemble, IdAllocator allocator) {
        AllocatorSection section = section(configuration);
        if (!(configuration instanceof AllocatorConfiguration)
                && !section.cors().origins().isEmpty()) {
            throw new BadValueException(
                    "cors",
                    "is for the service alone: leave it out, and put Jetty's CrossOriginHandler in front of what is yours");
        }
        AllocatorSettings settings = ensemble.settings();
        IdSource source = allocator;
        Limits limits = section.limits().limits(configuration.getServerFactory());
        ClusterWatch watch =
                new ClusterWatch(() -> allocator.cluster().state(), background(environment), Clock.system());
        HealthSetup.register(
                environment.healthChecks(), source, settings.zookeeper().sessionTimeout());
        Meters meters = new Meters(environment.metrics());
        MetricsSetup.register(meters, environment.healthChecks(), allocator, settings, watch);
        Optional<IdMetrics> draws = routes() ? Optional.of(new IdMetrics(meters, source.schemes())) : Optional.empty();
        Console shown = new Console(source, settings, environment.healthChecks(), draws, watch);
        ConsoleSetup console = new ConsoleSetup(environment, shown, consoleInFront());
        if (adminServlets()) {
            adminPort(configuration, environment, allocator);
            addAdminServlet(environment, new PrometheusMetricsServlet(meters.registry()), MetricsSetup.PATH);
            addAdminServlet(environment, console.onAdminPort(), console.patterns(""));
        }
        draws.ifPresent(drawn -> {
            IdService ids = new IdService(source, drawn::listener, limits, drawn::countBusy);
            drawn.places(ids.places());
            HttpApi.register(environment, ids, section.counts(), ensemble::entry, section.visibility());
            inFront(configuration, environment, ids, meters);
            console.onApplicationPort(section.visibility());
        });
    }

    /** A thread of its own, because a question to ZooKeeper may wait for long. */
    private static ScheduledExecutorService background(Environment environment) {
        return environment
                .lifecycle()
                .scheduledExecutorService("id-allocator.background", true)
                .threads(1)
                .shutdownTime(Duration.seconds(0))
                .build();
    }

    private void adminPort(C configuration, Environment environment, IdAllocator allocator) {
        AllocatorSection section = section(configuration);
        ClusterOperations cluster = new ClusterOperations(allocator.cluster(), allocator.schemes());
        ReplicaOperations replica =
                new ReplicaOperations(allocator, HealthSetup.notice(configuration.getHealthFactory()));
        AdminGuard.install(environment, section.admin(), section.embedded().tokenFile());
        addAdminServlet(environment, cluster.leases(), "/leases/*");
        addAdminServlet(environment, cluster.fleet(), "/fleet");
        addAdminServlet(environment, replica.drain(), "/tasks/drain");
        addAdminServlet(environment, replica.resume(), "/tasks/resume");
        addAdminServlet(environment, replica.rotate(), "/tasks/rotate");
    }

    private static void addAdminServlet(Environment environment, Servlet servlet, String... patterns) {
        ServletRegistration.Dynamic added = environment.admin().addServlet("id-allocator" + patterns[0], servlet);
        Set<String> taken = added.addMapping(patterns);
        if (!taken.isEmpty()) { // Jetty leaves out the second servlet, and goes on
            throw new IllegalStateException(
                    "another servlet is on the admin port at " + String.join(", ", taken) + ": see adminServlets()");
        }
    }
}
