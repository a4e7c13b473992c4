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
import io.dropwizard.health.HealthFactory;
import io.dropwizard.jetty.ConnectorFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import io.dropwizard.util.JarLocation;
import java.util.Optional;
import org.eclipse.jetty.server.Server;
import org.idallocator.dropwizard.AllocatorCommands;
import org.idallocator.dropwizard.AllocatorSetup;
import org.idallocator.dropwizard.ConsolePlace;
import org.idallocator.dropwizard.cli.Failures;
import org.idallocator.dropwizard.cli.Program;
import org.idallocator.dropwizard.cli.Streams;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.console.ApplicationPort;
import org.idallocator.dropwizard.health.HealthSetup;
import org.idallocator.dropwizard.http.BasePath;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.logging.RepetitionFilter;
import org.idallocator.dropwizard.resources.HttpApi;
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

    private final ZooKeeperOpening opening = new ZooKeeperOpening();
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

    /** Does what Dropwizard does, but leaves the metrics of the JVM to {@link ServeCommand}. */
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
        Program<AllocatorConfiguration> program = program();
        bootstrap.addCommand(
                new ServeCommand<>(this, program, configuration -> opening.begin(configuration.allocator())));
        bootstrap.addCommand(new CheckCommand(program));
    }

    private Program<AllocatorConfiguration> program() {
        return new Program<>(
                AllocatorConfiguration.class, AllocatorConfiguration::allocator, Optional.of(BUILT_IN), streams);
    }

    @Override
    public void initialize(Bootstrap<AllocatorConfiguration> bootstrap) {
        bootstrap.setConfigurationSourceProvider(source());
        // A key that stands twice is refused, because only the last one would count. A key without a value has its
        // default.
        bootstrap
                .getObjectMapper()
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .setDefaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.SKIP));
        AllocatorCommands.of(program()).forEach(bootstrap::addCommand);
    }

    /**
     * Opens a configuration file, or the built-in configuration, and puts in the environment's variables. A value that
     * itself looks like a variable stays as it is.
     */
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
        AllocatorSection section = configuration.allocator();
        Optional<HealthFactory> health = configuration.getHealthFactory();
        AllocatorSetup setup =
                AllocatorSetup.run(opening.finish(section), section, environment, ConsolePlace.ROOT, parts -> {
                    IdService ids = parts.installRoutes(section.limits().limits(configuration.getServerFactory()));
                    parts.installAdminPort(HealthSetup.drainNotice(health));
                    FrontHandlers.install(environment, section.cors(), health, ids, parts.meters());
                });
        RepetitionFilter.install();
        HttpApi.registerErrors(environment);
        listenOnLoopback(configuration.getServerFactory());
        if (configuration.getServerFactory() instanceof AbstractServerFactory made) {
            made.setRegisterDefaultExceptionMappers(false);
        }
        boolean embedded = section.embedded().isEnabled();
        environment.lifecycle().addServerLifecycleListener(server -> greet(server, environment, setup, embedded));
    }

    /**
     * Has the admin port listen on the loopback interface alone, unless the configuration says where the port listens.
     */
    static void listenOnLoopback(ServerFactory server) {
        if (server instanceof DefaultServerFactory both) {
            for (ConnectorFactory each : both.getAdminConnectors()) {
                if (each instanceof HttpConnectorFactory connector && connector.getBindHost() == null) {
                    connector.setBindHost("127.0.0.1");
                }
            }
        }
    }

    /** Logs how to try the service. A service whose only connector is a Unix socket has no URL to tell. */
    private static void greet(Server server, Environment environment, AllocatorSetup setup, boolean embedded) {
        String base =
                ApplicationPort.of(server, BasePath.of(environment).onPort()).onThisMachine();
        LOG.info(
                "An ID: curl {}/ids/{}; the console: {}/. It leases from {}.{}",
                base,
                setup.allocator().schemes().get(0).name(),
                base,
                setup.zookeeper(),
                embedded ? ONE_MACHINE : "");
    }
}
