package org.idallocator.service;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.DeserializationFeature;
import io.dropwizard.configuration.ConfigurationSourceProvider;
import io.dropwizard.configuration.EnvironmentVariableSubstitutor;
import io.dropwizard.configuration.FileConfigurationSourceProvider;
import io.dropwizard.configuration.ResourceConfigurationSourceProvider;
import io.dropwizard.configuration.SubstitutingSourceProvider;
import io.dropwizard.core.Application;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.server.AbstractServerFactory;
import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.jetty.ConnectorFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import io.dropwizard.util.JarLocation;
import java.util.Optional;
import org.eclipse.jetty.server.Server;
import org.idallocator.service.bundle.IdAllocatorBundle;
import org.idallocator.service.cli.CheckCommand;
import org.idallocator.service.cli.Failures;
import org.idallocator.service.cli.Program;
import org.idallocator.service.cli.ServeCommand;
import org.idallocator.service.cli.Streams;
import org.idallocator.service.config.AllocatorConfiguration;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.console.ApplicationPort;
import org.idallocator.service.http.BasePath;
import org.idallocator.service.ids.IdService;
import org.idallocator.service.logging.RepetitionFilter;
import org.idallocator.service.metrics.Meters;
import org.idallocator.service.resources.HttpApi;
import org.idallocator.service.server.FrontHandlers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The service. Started without arguments, it prints its help, as every Dropwizard program does, and starts nothing. */
public final class AllocatorApplication extends Application<AllocatorConfiguration> {
    private static final Logger LOG = LoggerFactory.getLogger(AllocatorApplication.class);
    private static final String ONE_MACHINE =
            " An embedded ZooKeeper keeps the IDs of one machine apart; several machines need one ensemble.";

    /** The path that names the built-in configuration: the {@code config/standalone.yml} of the build. */
    static final String BUILT_IN = "(built-in standalone.yml)";

    private final ServiceBundle bundle = new ServiceBundle();
    private final Streams streams;

    public AllocatorApplication() {
        this(Streams.ofProcess());
    }

    /** The service whose commands read and write the caller's streams. */
    AllocatorApplication(Streams streams) {
        this.streams = streams;
    }

    public static void main(String[] arguments) throws Exception {
        new AllocatorApplication().run(arguments);
    }

    /** As Dropwizard does it, but {@link ServeCommand} alone registers the metrics of the JVM. */
    @Override
    public void run(String... arguments) throws Exception {
        Bootstrap<AllocatorConfiguration> bootstrap = new Bootstrap<>(this);
        addDefaultCommands(bootstrap);
        initialize(bootstrap);
        new Cli(new JarLocation(getClass()), bootstrap, System.out, System.err)
                .run(arguments)
                .ifPresent(this::onFatalError);
    }

    @Override
    protected void onFatalError(Throwable failure) {
        System.exit(Failures.status(failure).code());
    }

    @Override
    public String getName() {
        return "id-allocator";
    }

    @Override
    protected void addDefaultCommands(Bootstrap<AllocatorConfiguration> bootstrap) {
        Program<AllocatorConfiguration> program = new Program<>(
                AllocatorConfiguration.class, AllocatorConfiguration::allocator, bundle.defaultFile(), streams);
        bootstrap.addCommand(new ServeCommand<>(this, program, bundle::openAhead));
        bootstrap.addCommand(new CheckCommand(program));
    }

    @Override
    public void initialize(Bootstrap<AllocatorConfiguration> bootstrap) {
        bootstrap.setConfigurationSourceProvider(source());
        // A key that is there twice is refused, because only the last would count; a key without a value has its
        // default.
        bootstrap
                .getObjectMapper()
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .setDefaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.SKIP));
        bootstrap.addBundle(bundle);
    }

    /** A file, or the configuration that is built in, with variables of the environment. What these say is text, and no variable. */
    private static ConfigurationSourceProvider source() {
        ConfigurationSourceProvider files = new FileConfigurationSourceProvider();
        ConfigurationSourceProvider resources = new ResourceConfigurationSourceProvider();
        EnvironmentVariableSubstitutor variables = new EnvironmentVariableSubstitutor(true);
        variables.setDisableSubstitutionInValues(true);
        return new SubstitutingSourceProvider(
                path -> path.equals(BUILT_IN) ? resources.open("standalone.yml") : files.open(path), variables);
    }

    @Override
    public void run(AllocatorConfiguration configuration, Environment environment) {
        RepetitionFilter.install();
        HttpApi.registerErrors(environment);
        listenOnLoopback(configuration.getServerFactory());
        ((AbstractServerFactory) configuration.getServerFactory()).setRegisterDefaultExceptionMappers(false);
        boolean embedded = configuration.allocator().embedded().enabled();
        environment.lifecycle().addServerLifecycleListener(server -> greet(server, environment, embedded));
    }

    /** Has the admin port listen for this machine alone, where the configuration does not say where it listens. */
    static void listenOnLoopback(ServerFactory server) {
        if (server instanceof DefaultServerFactory both) {
            for (ConnectorFactory each : both.getAdminConnectors()) {
                if (each instanceof HttpConnectorFactory connector && connector.getBindHost() == null) {
                    connector.setBindHost("127.0.0.1");
                }
            }
        }
    }

    /** Says how to try the service. A Unix socket as the only connector has no URL. */
    private void greet(Server server, Environment environment, boolean embedded) {
        String base =
                ApplicationPort.of(server, BasePath.of(environment).onPort()).onThisMachine();
        LOG.info(
                "An ID: curl {}/ids/{}; the console: {}/. It leases from {}.{}",
                base,
                bundle.allocator().schemes().get(0).name(),
                base,
                bundle.zookeeper(),
                embedded ? ONE_MACHINE : "");
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
        protected void inFront(
                AllocatorConfiguration configuration, Environment environment, IdService ids, Meters meters) {
            FrontHandlers.install(environment, configuration, ids, meters);
        }

        @Override
        protected boolean consoleInFront() {
            return true;
        }

        @Override
        protected Optional<String> defaultFile() {
            return Optional.of(BUILT_IN);
        }

        @Override
        protected Streams streams() {
            return streams;
        }
    }
}
