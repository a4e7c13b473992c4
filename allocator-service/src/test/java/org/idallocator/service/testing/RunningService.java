package org.idallocator.service.testing;

import static org.idallocator.core.testing.HangGuard.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.dropwizard.core.Application;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.testing.ConfigOverride;
import io.dropwizard.testing.DropwizardTestSupport;
import io.dropwizard.testing.ResourceHelpers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Server;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.AllocatorConfiguration;

/** A service on free ports, until closed. */
public final class RunningService implements AutoCloseable {
    /** How many requests of the application are worked on at a time. */
    public static final int PERMITS = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);

    /** The token of the admin port, as {@code test-service.yml} has it. */
    public static final String TOKEN = "the-token-of-all-tests";

    private static final AtomicInteger STARTED = new AtomicInteger();

    private final DropwizardTestSupport<AllocatorConfiguration> support;

    private RunningService(DropwizardTestSupport<AllocatorConfiguration> support) {
        this.support = support;
    }

    /**
     * Starts a service; {@code settings} are {@code key=value} below {@code allocator.}, or begin with {@code server.},
     * and override {@code test-service.yml}. A key that nobody knows keeps the service from starting.
     */
    public static RunningService start(
            Class<? extends Application<AllocatorConfiguration>> application, String... settings) {
        String prefix = "dw" + STARTED.incrementAndGet(); // overrides are system properties: each service has its own
        ConfigOverride[] overrides = Arrays.stream(settings)
                .map(setting -> setting.split("=", 2))
                .map(setting -> ConfigOverride.config(prefix, key(setting[0]), setting[1]))
                .toArray(ConfigOverride[]::new);
        return started(new DropwizardTestSupport<>(
                application,
                ResourceHelpers.resourceFilePath("test-service.yml"),
                prefix,
                made -> new StrictServerCommand(made, prefix),
                overrides));
    }

    /**
     * Starts a service with something added to it, after its bundles have added their own, and before the application
     * does.
     */
    public static RunningService start(
            Class<? extends Application<AllocatorConfiguration>> application,
            DropwizardTestSupport.ServiceListener<AllocatorConfiguration> more) {
        DropwizardTestSupport<AllocatorConfiguration> support =
                new DropwizardTestSupport<>(application, ResourceHelpers.resourceFilePath("test-service.yml"));
        support.addListener(more);
        return started(support);
    }

    /** Starts a service whose server gets more as it starts: handlers stand in front of all that the service has. */
    public static RunningService startObedient(Consumer<Server> more) {
        return start(ObedientApplication.class, adding(more));
    }

    /** Starts a service with a configuration file. */
    public static RunningService start(Class<? extends Application<AllocatorConfiguration>> application, Path file) {
        return started(new DropwizardTestSupport<>(application, file.toString()));
    }

    /** The same with a configuration file. */
    public static RunningService startObedient(Path file, Consumer<Server> more) {
        DropwizardTestSupport<AllocatorConfiguration> support =
                new DropwizardTestSupport<>(ObedientApplication.class, file.toString());
        support.addListener(adding(more));
        return started(support);
    }

    private static DropwizardTestSupport.ServiceListener<AllocatorConfiguration> adding(Consumer<Server> more) {
        return new DropwizardTestSupport.ServiceListener<>() {
            @Override
            public void onRun(
                    AllocatorConfiguration configuration,
                    Environment environment,
                    DropwizardTestSupport<AllocatorConfiguration> support) {
                ObedientApplication application = support.getApplication();
                application.addAsTheServerStarts(more);
            }
        };
    }

    private static RunningService started(DropwizardTestSupport<AllocatorConfiguration> support) {
        try {
            support.before();
        } catch (Exception e) {
            throw new AssertionError("the service does not start", e);
        }
        return new RunningService(support);
    }

    private static String key(String name) {
        return name.startsWith("server.") ? name : "allocator." + name;
    }

    public RunningService awaitReady() {
        await().until(() -> app().status("/health-check") == 200);
        return this;
    }

    /** The same by what the checks find at this moment, rather than when they ran last. */
    public void awaitServing() {
        await().until(() -> admin().status("/healthcheck") == 200);
    }

    /** The sum of the metrics whose lines begin so. */
    public double metric(String beginning) {
        Stream<String> lines = admin().get("/prometheus").body().lines().filter(line -> line.startsWith(beginning));
        return lines.mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** A client of the application port that has sent so much, and has read nothing. */
    public Socket asking(String bytes) {
        try {
            Socket client = new Socket(InetAddress.getLoopbackAddress(), support.getLocalPort());
            client.setSoTimeout((int) HangGuard.TIME.toMillis());
            client.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Http app() {
        return new Http(support.getLocalPort());
    }

    /** The admin port, for who has its token. */
    public Http admin() {
        return strangersAdmin().showing(TOKEN);
    }

    /** The admin port, for who has no token. */
    public Http strangersAdmin() {
        return new Http(support.getAdminPort());
    }

    /** How many places of a limit are taken now, in a service that runs an {@link ObedientApplication}. */
    public int taken(Limit limit) {
        ObedientApplication application = support.getApplication();
        return application.ids().places(limit).taken();
    }

    public Server server() {
        return support.getEnvironment().getApplicationContext().getServer();
    }

    public DropwizardTestSupport<AllocatorConfiguration> support() {
        return support;
    }

    @Override
    public void close() {
        support.after();
    }

    /**
     * A lease of a scheme, as operators see it, once there is one: slots that nobody holds any more are listed, too.
     */
    public JsonNode lease(String scheme) {
        return await().until(
                        () -> admin().json("/leases/" + scheme).findValues("lease").stream()
                                .filter(JsonNode::isObject)
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /**
     * What the service says of an ID once ZooKeeper has told it the holder, which may take longer than an answer waits.
     */
    public JsonNode inspected(String path) {
        return await().until(() -> app().json(path), said -> !said.has("holderUnknown"));
    }
}
