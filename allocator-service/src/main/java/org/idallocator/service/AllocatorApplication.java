package org.idallocator.service;

import io.dropwizard.core.Application;
import io.dropwizard.core.server.AbstractServerFactory;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.jetty.setup.ServletEnvironment;
import java.util.Optional;
import java.util.function.BiConsumer;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import org.eclipse.jetty.server.Server;
import org.idallocator.service.bundle.IdAllocatorBundle;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.cli.terminal.UsageException;
import org.idallocator.service.config.AllocatorConfiguration;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.health.FatalErrorFilter;
import org.idallocator.service.health.FatalErrors;
import org.idallocator.service.logging.WebServerLog;
import org.idallocator.service.resources.HttpApi;
import org.idallocator.zk.IdAllocator;

/** The service. Started without arguments, it prints its help, as every Dropwizard program does, and starts nothing. */
public final class AllocatorApplication extends Application<AllocatorConfiguration> {
    private static final int FAILED = 1;
    private static final int NOT_UNDERSTOOD = 2;
    private static final String MOST_WANTED = """

            most wanted:
              server          the service, on http://localhost:8080
              generate sno    one ID, and nothing else on standard output""";

    private final IdAllocatorBundle<AllocatorConfiguration> bundle = new ServiceBundle();
    private final StandardStreams streams;
    private final Runnable guard;
    private final BiConsumer<Server, IdAllocator> started;

    public AllocatorApplication() {
        this(StandardStreams.ofProcess(), FatalErrors::install, (server, allocator) -> {});
    }

    /**
     * The service in a process that does other things as well. Commands read and write the caller's
     * streams, and nothing ends the process when the JVM is out of memory.
     */
    AllocatorApplication(StandardStreams streams) {
        this(streams, (server, allocator) -> {});
    }

    /** The same; {@code started} is given the server of the command {@code server} as soon as that listens. */
    AllocatorApplication(StandardStreams streams, BiConsumer<Server, IdAllocator> started) {
        this(streams, () -> {}, started);
    }

    private AllocatorApplication(StandardStreams streams, Runnable guard, BiConsumer<Server, IdAllocator> started) {
        this.streams = streams;
        this.guard = guard;
        this.started = started;
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            new AllocatorApplication().run();
            System.out.println(MOST_WANTED);
            return;
        }
        FatalErrors.install();
        new AllocatorApplication().run(arguments);
    }

    /**
     * As Dropwizard does it, but a call that is not understood gets two lines and no page of help, and {@link ServeCommand}
     * registers the metrics, which take a while and are for nobody else.
     */
    @Override
    public void run(String... arguments) throws Exception {
        Bootstrap<AllocatorConfiguration> bootstrap = new Bootstrap<>(this);
        addDefaultCommands(bootstrap);
        initialize(bootstrap);
        new TerseCli(bootstrap, streams.out(), System.err).run(arguments).ifPresent(this::onFatalError);
    }

    @Override
    protected void onFatalError(Throwable failure) {
        System.exit(status(failure));
    }

    /** The status is 2 where the call was not understood, and 1 for every other failure. */
    static int status(Throwable failure) {
        return failure instanceof UsageException || failure instanceof ArgumentParserException
                ? NOT_UNDERSTOOD
                : FAILED;
    }

    @Override
    public String getName() {
        return "id-allocator";
    }

    @Override
    protected void addDefaultCommands(Bootstrap<AllocatorConfiguration> bootstrap) {
        bootstrap.addCommand(new ServeCommand<>(this, guard, bundle::openAhead));
        bootstrap.addCommand(new CheckCommand(this, streams));
    }

    @Override
    public void initialize(Bootstrap<AllocatorConfiguration> bootstrap) {
        bootstrap.setConfigurationSourceProvider(new ConfigurationSource());
        IdAllocatorBundle.readStrictly(bootstrap);
        bootstrap.addBundle(bundle);
    }

    @Override
    public void run(AllocatorConfiguration configuration, Environment environment) {
        WebServerLog.hold();
        HttpApi.registerErrors(environment);
        LoopbackAdmin.in(configuration.getServerFactory());
        ((AbstractServerFactory) configuration.getServerFactory()).setRegisterDefaultExceptionMappers(false);
        addFatalErrorFilter(environment.servlets());
        addFatalErrorFilter(environment.admin());
        environment
                .lifecycle()
                .addServerLifecycleListener(new Greeting(
                        environment,
                        bundle.allocator().schemes(),
                        bundle.zookeeper(),
                        configuration.allocator().embedded().enabled()));
        environment.lifecycle().addServerLifecycleListener(server -> started.accept(server, bundle.allocator()));
    }

    private static void addFatalErrorFilter(ServletEnvironment servlets) {
        servlets.addFilter("fatal-errors", new FatalErrorFilter()).addMappingForUrlPatterns(null, false, "/*");
    }

    /** The bundle with the routes, and with a built-in configuration. */
    private final class ServiceBundle extends IdAllocatorBundle<AllocatorConfiguration> {
        @Override
        protected AllocatorSection section(AllocatorConfiguration configuration) {
            return configuration.allocator();
        }

        @Override
        protected boolean routes() {
            return true;
        }

        @Override
        protected boolean consoleInFront() {
            return true;
        }

        @Override
        protected Optional<String> defaultFile() {
            return Optional.of(ConfigurationSource.BUILT_IN);
        }

        @Override
        protected StandardStreams streams() {
            return streams;
        }
    }
}
