package org.idallocator.dropwizard;

import io.dropwizard.core.Configuration;
import io.dropwizard.core.ConfiguredBundle;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.util.Generics;
import java.util.Optional;
import java.util.function.Function;
import org.idallocator.core.id.BadValueException;
import org.idallocator.dropwizard.cli.Program;
import org.idallocator.dropwizard.cli.Streams;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.idallocator.dropwizard.health.HealthSetup;
import org.idallocator.zk.IdAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Adds an ID allocator to a Dropwizard program. The program tells where in its own configuration the allocator's
 * section is:
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
 * <p>In that section the program names the schemes that it draws, as in {@code ids: {schemes: {sno: {}}}}. It holds a
 * slot of each; where it names none, it serves all five, and takes one of the 64 slots of eightbyte.
 *
 * <p>The program gets:
 *
 * <ul>
 *   <li>{@link #allocator}, which releases its slots when the program stops, and an embedded ZooKeeper, if the section
 *       enables one
 *   <li>Health checks. {@code leases} tells whether the schemes serve. {@code lease-thread} tells whether the process
 *       must be started again. Each scheme has a check of its own. {@code /healthcheck} on the admin port lists them
 *       all; Dropwizard's {@code /health-check} counts those that the program names in its {@code health} section
 *   <li>On the admin port: {@code /prometheus} has the metrics of the allocator and of the program, {@code /leases} the
 *       leases of the whole cluster, {@code /fleet} its replicas, and {@code /console} a page for people. Operators
 *       call {@code /tasks/drain}, {@code /tasks/resume} and {@code /tasks/rotate}. A program can override
 *       {@link #adminServlets} to have none of these. If an earlier bundle has a servlet at one of these paths, the
 *       server does not start. If the program adds a servlet at one of them later, or has a task with one of these
 *       names, requests do not reach that
 *   <li>Together with these, a guard in front of the whole admin port, also of the program's own pages and tasks. Only
 *       a call that shows the token of the section's {@code admin}, or a client certificate, may change anything there.
 *       The guard refuses requests whose {@code Host} the port does not have, requests of pages of other origins, and
 *       the profiler. The program itself decides where the port listens: its {@code server.adminConnectors} should have
 *       {@code bindHost: 127.0.0.1}, unless a network keeps strangers away
 *   <li>The commands {@code generate}, {@code inspect}, {@code leases}, {@code doctor} and {@code fence-restore},
 *       unless the program overrides {@link #commands}
 *   <li>On the application port, if the program overrides {@link #routes}: {@code /ids}, {@code /leases}, their
 *       description {@code /openapi.json}, {@code /problems} and {@code /console}
 * </ul>
 *
 * <p>The bundle leaves everything else to the program: its server, its own commands, its answers to errors, and when
 * its process ends. There is one exception, for safety: when another process uses the embedded ZooKeeper's directory as
 * well, IDs might be issued twice, and the process ends with status 3.
 *
 * <p>Jersey answers the routes. The keys {@code cors}, and those of {@code limits} but {@code streams} and
 * {@code longestBatch}, are for the service alone; a program that sets one of them does not start.
 *
 * <p>The bundle runs before the program's {@code run}. One bundle serves one program, and a program has one bundle.
 * {@link #allocator} is thread-safe.
 *
 * @param <C> the program's configuration; a subclass that is generic itself must override {@link #configurationType}
 */
public abstract class IdAllocatorBundle<C extends Configuration> implements ConfiguredBundle<C> {
    private volatile @Nullable AllocatorSetup setup;

    /** A bundle with the defaults, which has no routes. To choose otherwise, extend this class. */
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

    /**
     * The allocator's section of the program's configuration. Never null, even when the file leaves the section out.
     */
    protected abstract AllocatorSection section(C configuration);

    /**
     * Whether the application port serves {@code /ids}, {@code /leases}, {@code /openapi.json}, {@code /problems} and
     * {@code /console}. False by default.
     */
    protected boolean routes() {
        return false;
    }

    /**
     * Whether the admin port serves {@code /prometheus}, {@code /leases}, {@code /fleet}, {@code /console} and the
     * tasks {@code drain}, {@code resume} and {@code rotate}, behind a guard. True by default. A program that has a
     * servlet or a task of its own at one of these paths overrides this, and guards the port itself.
     */
    protected boolean adminServlets() {
        return true;
    }

    /**
     * Whether the program gets the allocator's commands. True by default; then no command of the program may have one
     * of their names.
     */
    protected boolean commands() {
        return true;
    }

    /**
     * The allocator, which is open until the program stops. It may still be connecting; {@link IdAllocator#awaitReady}
     * waits.
     *
     * @throws IllegalStateException before the bundle has run: in {@code initialize}, or in a command without a server
     */
    public final IdAllocator allocator() {
        return Optional.ofNullable(setup)
                .map(AllocatorSetup::allocator)
                .orElseThrow(() -> new IllegalStateException("there is no allocator before the bundle has run"));
    }

    /**
     * Which ZooKeeper the allocator uses, in words for a log: the address, the directory of an embedded one, and the
     * root. Before the bundle has run, the words say that there is none.
     */
    public final String zookeeper() {
        return Optional.ofNullable(setup).map(AllocatorSetup::zookeeper).orElse("none before the bundle has run");
    }

    @Override
    public final void initialize(Bootstrap<?> bootstrap) {
        if (commands()) {
            Program<C> program =
                    new Program<>(configurationType(), this::section, Optional.empty(), Streams.ofProcess());
            AllocatorCommands.of(program).forEach(bootstrap::addCommand);
        }
    }

    /**
     * Opens the allocator. Waits until an embedded ZooKeeper serves, which this process or another one starts; does not
     * wait for any other ZooKeeper. When this throws, everything that was opened is closed again.
     *
     * @throws IllegalStateException when an earlier bundle has a servlet at a path of the allocator's
     * @throws BadValueException naming the bad value of the section and what is allowed
     * @throws IllegalArgumentException naming a health check that the program has already, as with a second bundle
     * @throws org.idallocator.dropwizard.embedded.EmbeddedStartException when the embedded ZooKeeper cannot start
     */
    @Override
    public final void run(C configuration, Environment environment) {
        AllocatorSection section = section(configuration);
        section.requireNoKeysOfTheService();
        ZooKeeperInUse zookeeper = ZooKeeperInUse.open(section);
        setup = AllocatorSetup.run(zookeeper, section, environment, ConsolePlace.BELOW, parts -> {
            if (routes()) {
                parts.installRoutes(section.limits().limits(configuration.getServerFactory()));
            }
            if (adminServlets()) {
                parts.installAdminPort(HealthSetup.drainNotice(configuration.getHealthFactory()));
            }
        });
    }
}
