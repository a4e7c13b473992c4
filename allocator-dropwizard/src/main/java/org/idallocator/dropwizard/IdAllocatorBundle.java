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
 * <p>The program gets:
 *
 * <ul>
 *   <li>{@link #allocator}, which releases its slots when the program stops, and an embedded ZooKeeper, if the section
 *       enables one
 *   <li>health checks: {@code leases} tells whether the schemes serve, {@code lease-thread} whether the process must be
 *       started again, and each scheme has a check of its own. {@code /healthcheck} on the admin port lists them all;
 *       Dropwizard's {@code /health-check} counts those that the program names in its {@code health} section
 *   <li>on the admin port, {@code /prometheus} with the metrics of the allocator and of the program, {@code /leases}
 *       with the leases of the whole cluster, {@code /fleet} with its replicas, {@code /console}, and what operators
 *       call: {@code /tasks/drain}, {@code /tasks/resume} and {@code /tasks/rotate}, unless the program overrides
 *       {@link #adminServlets}; the server does not start where a bundle that ran before has a servlet at one of these
 *       paths; a servlet that the program adds there later, and a task of the program with one of these names, are not
 *       reached
 *   <li>with these, a guard in front of the whole admin port, the program's own pages and tasks too: only who shows the
 *       token of the section's {@code admin}, or a client certificate, has anything changed there; hosts that the port
 *       does not have, pages of elsewhere and the profiler are refused. Where the port listens is the program's own
 *       matter: its {@code server.adminConnectors} should have {@code bindHost: 127.0.0.1}, unless a network keeps
 *       strangers away
 *   <li>the commands {@code generate}, {@code inspect}, {@code leases}, {@code doctor} and {@code fence-restore},
 *       unless the program overrides {@link #commands}
 *   <li>{@code /ids}, {@code /leases}, their description {@code /openapi.json}, {@code /problems} and {@code /console}
 *       on the application port, if the program overrides {@link #routes}
 * </ul>
 *
 * <p>All else stays the program's own: its server, its commands, how it answers errors, and when its process ends.
 * Jersey answers the routes: {@code cors}, and of {@code limits} all but {@code streams} and {@code longestBatch}, are
 * for the service alone, and a program with one of these does not start. There is one exception, for safety: when the
 * embedded ZooKeeper's directory is not this process's own any more, IDs might be issued twice, and the process ends
 * with status 3. The bundle runs before the program's {@code run}. One bundle serves one program, and a program has
 * one. {@link #allocator} is thread-safe.
 *
 * @param <C> the program's configuration; a subclass that is generic itself must override {@link #configurationType}
 */
public abstract class IdAllocatorBundle<C extends Configuration> implements ConfiguredBundle<C> {
    private volatile @Nullable AllocatorSetup setup;

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

    /**
     * The allocator's section of the program's configuration. Never null, also when the file leaves the section out.
     */
    protected abstract AllocatorSection section(C configuration);

    /**
     * Whether {@code /ids}, {@code /leases}, {@code /openapi.json}, {@code /problems} and {@code /console} are served
     * on the application port. By default they are not.
     */
    protected boolean routes() {
        return false;
    }

    /**
     * Whether {@code /prometheus}, {@code /leases}, {@code /fleet}, {@code /console} and the tasks {@code drain},
     * {@code resume} and {@code rotate} are served on the admin port, behind a guard. By default they are; a program
     * that has a servlet or a task of its own there overrides this, and guards the port itself.
     */
    protected boolean adminServlets() {
        return true;
    }

    /**
     * Whether the program gets the allocator's commands. By default it does; then none of its own commands may have the
     * name of one of them.
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
     * root. Until the bundle has run, that there is none.
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
     * Opens the allocator. Waits for an embedded ZooKeeper, which this process or another one starts, and for no other.
     * What was opened is closed again where this throws.
     *
     * @throws IllegalStateException when a bundle that ran before has a servlet at a path of the allocator's
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
                parts.routes(section.limits().limits(configuration.getServerFactory()));
            }
            if (adminServlets()) {
                parts.adminPort(HealthSetup.drainNotice(configuration.getHealthFactory()));
            }
        });
    }
}
