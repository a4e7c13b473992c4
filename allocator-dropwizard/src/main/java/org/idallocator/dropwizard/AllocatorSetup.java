package org.idallocator.dropwizard;

import io.dropwizard.core.setup.Environment;
import io.dropwizard.lifecycle.AutoCloseableManager;
import io.prometheus.metrics.exporter.servlet.jakarta.PrometheusMetricsServlet;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletRegistration;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.idallocator.core.clock.Clock;
import org.idallocator.dropwizard.admin.AdminGuard;
import org.idallocator.dropwizard.admin.ClusterOperations;
import org.idallocator.dropwizard.admin.ReplicaOperations;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.console.Console;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.dropwizard.health.ClusterWatch;
import org.idallocator.dropwizard.health.HealthSetup;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.Limits;
import org.idallocator.dropwizard.logging.AfterFailure;
import org.idallocator.dropwizard.metrics.IdMetrics;
import org.idallocator.dropwizard.metrics.Meters;
import org.idallocator.dropwizard.metrics.MetricsSetup;
import org.idallocator.dropwizard.resources.HttpApi;
import org.idallocator.zk.IdAllocator;

/**
 * An allocator in a Dropwizard program, with the parts that the program wants of it. {@link IdAllocatorBundle} and the
 * service both set up their allocators here; programs use the bundle. Each part can be installed once, and before the
 * server starts. Not thread-safe.
 */
public final class AllocatorSetup {
    private final ZooKeeperInUse zookeeper;
    private final IdAllocator allocator;
    private final AllocatorSection section;
    private final Environment environment;
    private final Meters meters;
    private final ClusterWatch watch;
    private final ConsolePlace place;
    private final ConsoleSetup console;

    /** What the routes draw, which the console asks for whenever somebody looks. Empty where there are no routes. */
    private volatile Optional<IdMetrics> draws = Optional.empty();

    private AllocatorSetup(
            ZooKeeperInUse zookeeper,
            IdAllocator allocator,
            AllocatorSection section,
            Environment environment,
            ConsolePlace place) {
        this.zookeeper = zookeeper;
        this.allocator = allocator;
        this.section = section;
        this.environment = environment;
        this.meters = new Meters(environment.metrics());
        this.watch = new ClusterWatch(() -> allocator.cluster().state(), background(environment), Clock.system());
        this.place = place;
        Console shown = new Console(allocator, zookeeper.settings(), environment.healthChecks(), () -> draws, watch);
        this.console = new ConsoleSetup(environment, shown, place);
    }

    /**
     * Connects an allocator, registers its health checks and metrics, and then installs the parts. Dropwizard closes
     * the allocator and its ZooKeeper when the program ends. If a part throws anything, an Error too, both are closed
     * at once.
     *
     * @param zookeeper the ZooKeeper from which the allocator leases; it is closed together with the allocator
     * @param section the allocator's section of the program's configuration
     * @param place where the parts put the console
     * @param parts installs what the program has besides
     * @throws IllegalArgumentException naming a health check that the program has already, as with a second bundle
     */
    public static AllocatorSetup run(
            ZooKeeperInUse zookeeper,
            AllocatorSection section,
            Environment environment,
            ConsolePlace place,
            Consumer<AllocatorSetup> parts) {
        AutoCloseable opened = zookeeper;
        try {
            IdAllocator allocator = IdAllocator.connect(zookeeper.settings());
            opened = () -> {
                try (zookeeper) {
                    allocator.close(); // first, so that the slots are released while an embedded ZooKeeper still runs
                }
            };
            AllocatorSetup setup = new AllocatorSetup(zookeeper, allocator, section, environment, place);
            setup.register();
            parts.accept(setup);
            environment.lifecycle().manage(new AutoCloseableManager(opened));
            return setup;
        } catch (RuntimeException | Error e) {
            AfterFailure.close(e, opened);
            throw e;
        }
    }

    /** A thread for questions to ZooKeeper, which may wait for long. */
    private static ScheduledExecutorService background(Environment environment) {
        return environment
                .lifecycle()
                .scheduledExecutorService("id-allocator.background", true)
                .threads(1)
                .shutdownTime(io.dropwizard.util.Duration.seconds(0))
                .build();
    }

    private void register() {
        HealthSetup.register(
                environment.healthChecks(),
                allocator,
                zookeeper.settings().zookeeper().sessionTimeout());
        MetricsSetup.register(meters, environment.healthChecks(), allocator, zookeeper.settings(), watch);
    }

    /**
     * Serves the routes on the application port, with the console. What they draw, the console of the admin port shows,
     * too.
     *
     * @return what answers for IDs
     */
    public IdService installRoutes(Limits limits) {
        IdMetrics drawn = new IdMetrics(meters, allocator.schemes());
        draws = Optional.of(drawn);
        IdService ids = new IdService(allocator, drawn::listener, limits, drawn::countBusy);
        drawn.showPlaces(ids.places());
        HttpApi.register(environment, ids, section.counts(), zookeeper::entry, section.visibility());
        console.installOnApplicationPort(section.visibility());
        return ids;
    }

    /**
     * Puts a guard in front of the whole admin port, and behind it what operators look at and call, with the console.
     *
     * @param drainNotice for how long a replica that is to be drained says so before it refuses callers
     * @throws IllegalStateException when the program has a servlet at one of the paths already
     */
    public void installAdminPort(Duration drainNotice) {
        ClusterOperations cluster = new ClusterOperations(allocator::cluster, allocator.schemes());
        ReplicaOperations replica = new ReplicaOperations(allocator, drainNotice);
        AdminGuard.install(environment, section.admin(), section.embedded().tokenFile());
        addAdminServlet(cluster.leasesServlet(), "/leases/*");
        addAdminServlet(cluster.fleetServlet(), "/fleet");
        addAdminServlet(replica.drainServlet(), "/tasks/drain");
        addAdminServlet(replica.resumeServlet(), "/tasks/resume");
        addAdminServlet(replica.rotateServlet(), "/tasks/rotate");
        addAdminServlet(new PrometheusMetricsServlet(meters.registry()), MetricsSetup.PATH);
        addAdminServlet(console.createAdminServlet(), place.patterns(""));
    }

    private void addAdminServlet(Servlet servlet, String... patterns) {
        ServletRegistration.Dynamic added = environment.admin().addServlet("id-allocator" + patterns[0], servlet);
        Set<String> taken = added.addMapping(patterns);
        if (!taken.isEmpty()) { // Jetty leaves out the second servlet, and goes on
            throw new IllegalStateException(
                    "another servlet is on the admin port at " + String.join(", ", taken) + ": see adminServlets()");
        }
    }

    /** The allocator, which is open until the program stops. */
    public IdAllocator allocator() {
        return allocator;
    }

    /** Where to register metrics that Prometheus is to scrape together with the allocator's. */
    public Meters meters() {
        return meters;
    }

    /**
     * Which ZooKeeper the allocator uses, in words for a log: the address, the directory of an embedded one, and the
     * root.
     */
    public String zookeeper() {
        return zookeeper.description();
    }
}
