package org.idallocator.service.testing;

import com.codahale.metrics.MetricRegistry;
import io.dropwizard.core.Application;
import io.dropwizard.core.server.AbstractServerFactory;
import io.dropwizard.core.setup.Environment;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.component.LifeCycle;
import org.idallocator.dropwizard.api.Catalogue.ZooKeeperEntry;
import org.idallocator.dropwizard.health.HealthSetup;
import org.idallocator.dropwizard.ids.IdListener;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.metrics.Meters;
import org.idallocator.dropwizard.resources.HttpApi;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.idallocator.service.AllocatorConfiguration;
import org.idallocator.service.server.FrontHandlers;
import org.jspecify.annotations.Nullable;

/** The routes and the readiness of the service, on an {@link ObedientSource}. */
public class ObedientApplication extends Application<AllocatorConfiguration> {
    private static final ZooKeeperEntry ZOOKEEPER = new ZooKeeperEntry(false, Optional.empty(), "/id-allocator");

    private final ObedientSource source = new ObedientSource();
    private final Draws draws = new Draws();
    private final Map<Limit, Long> busy = new ConcurrentHashMap<>();
    private @Nullable IdService ids;
    private Consumer<Server> more = server -> {};

    /** The same service, in which Jersey answers everything. */
    public static final class ByJerseyAlone extends ObedientApplication {
        @Override
        boolean express() {
            return false;
        }
    }

    boolean express() {
        return true;
    }

    /**
     * Has this done to the server as that starts, after all that the service does then. To be called before the
     * application runs.
     */
    public final void addAsTheServerStarts(Consumer<Server> what) {
        more = what;
    }

    public final ObedientSource source() {
        return source;
    }

    /** What was refused by which limit. */
    public final Map<Limit, Long> busy() {
        return busy;
    }

    /** What answers requests, once the application runs. */
    public final IdService ids() {
        return Objects.requireNonNull(ids);
    }

    /** What was drawn by whom. */
    public final Draws draws() {
        return draws;
    }

    @Override
    public void run(AllocatorConfiguration configuration, Environment environment) {
        HttpApi.registerErrors(environment);
        ids = new IdService(
                source,
                name -> draws,
                configuration.allocator().limits().limits(configuration.getServerFactory()),
                limit -> busy.merge(limit, 1L, Long::sum));
        HttpApi.register(
                environment,
                ids,
                configuration.allocator().counts(),
                () -> ZOOKEEPER,
                configuration.allocator().visibility());
        if (express()) {
            FrontHandlers.install(
                    environment,
                    configuration.allocator().cors(),
                    configuration.getHealthFactory(),
                    ids,
                    new Meters(new MetricRegistry()));
        }
        HealthSetup.register(environment.healthChecks(), source, Duration.ofSeconds(10));
        ((AbstractServerFactory) configuration.getServerFactory()).setRegisterDefaultExceptionMappers(false);
        environment.lifecycle().addEventListener(new LifeCycle.Listener() {
            @Override
            public void lifeCycleStarting(LifeCycle event) {
                if (event instanceof Server server) {
                    more.accept(server);
                }
            }
        });
    }

    /** Counts the answers that were drawn, by who draws them and on whose thread. Thread-safe. */
    public static final class Draws implements IdListener {
        private static final String JERSEY = "org.glassfish.jersey.server.";

        private final AtomicLong inFront = new AtomicLong();
        private final AtomicLong byJersey = new AtomicLong();
        private final AtomicLong onSelector = new AtomicLong();

        @Override
        public void issued(long ids) {
            (calledBy(JERSEY) ? byJersey : inFront).incrementAndGet();
            if (calledBy("org.eclipse.jetty.util.thread.strategy.AdaptiveExecutionStrategy")) {
                onSelector.incrementAndGet();
            }
        }

        private static boolean calledBy(String beginning) {
            return StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getClassName().startsWith(beginning)));
        }

        @Override
        public void failed(RuntimeException why) {}

        /** How many were drawn in front of Jersey. */
        public long inFront() {
            return inFront.get();
        }

        /** How many were drawn in Jersey. */
        public long byJersey() {
            return byJersey.get();
        }

        /** How many were drawn on a thread that serves a selector, by whomever. */
        public long onSelector() {
            return onSelector.get();
        }
    }
}
