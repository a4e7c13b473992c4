package org.idallocator.service;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.dropwizard.configuration.EnvironmentVariableSubstitutor;
import io.dropwizard.configuration.SubstitutingSourceProvider;
import io.dropwizard.core.Application;
import io.dropwizard.core.server.AbstractServerFactory;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import io.prometheus.metrics.exporter.servlet.jakarta.PrometheusMetricsServlet;
import io.prometheus.metrics.instrumentation.dropwizard.DropwizardExports;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import org.idallocator.service.cli.CheckCommand;
import org.idallocator.service.cli.ConfigurationSource;
import org.idallocator.service.cli.DoctorCommand;
import org.idallocator.service.cli.FenceRestoreCommand;
import org.idallocator.service.cli.GenerateCommand;
import org.idallocator.service.cli.InspectCommand;
import org.idallocator.service.cli.LeasesCommand;
import org.idallocator.service.cli.ServeCommand;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.config.AllocatorConfiguration;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.draw.Draws;
import org.idallocator.service.draw.IdSource;
import org.idallocator.service.draw.LeasedIdSource;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.service.health.AllocatorMetrics;
import org.idallocator.service.health.FatalErrorFilter;
import org.idallocator.service.health.FatalErrors;
import org.idallocator.service.health.HealthSetup;
import org.idallocator.service.resources.ClusterLeasesServlet;
import org.idallocator.service.resources.HttpApi;
import org.idallocator.zk.IdAllocator;

/** The service and its commands: {@code server} on the embedded default when started without arguments. */
public final class AllocatorApplication extends Application<AllocatorConfiguration> {

    private final StandardStreams streams;
    private final Runnable guard;

    public AllocatorApplication() {
        this(StandardStreams.ofProcess(), FatalErrors::install);
    }

    /**
     * In a process that is not its own: with streams of the caller's for the commands that go through many IDs, and without
     * what ends the process when the JVM is out of memory.
     */
    AllocatorApplication(StandardStreams streams) {
        this(streams, () -> {});
    }

    private AllocatorApplication(StandardStreams streams, Runnable guard) {
        this.streams = streams;
        this.guard = guard;
    }

    public static void main(String[] arguments) throws Exception {
        FatalErrors.install();
        new AllocatorApplication().run(arguments.length == 0 ? new String[] {"server"} : arguments);
    }

    @Override
    public String getName() {
        return "id-allocator";
    }

    @Override
    protected void addDefaultCommands(Bootstrap<AllocatorConfiguration> bootstrap) {
        bootstrap.addCommand(new ServeCommand<>(this, guard));
        bootstrap.addCommand(new CheckCommand(this));
        bootstrap.addCommand(new GenerateCommand(streams));
        bootstrap.addCommand(new InspectCommand(streams));
        bootstrap.addCommand(new LeasesCommand());
        bootstrap.addCommand(new DoctorCommand());
        bootstrap.addCommand(new FenceRestoreCommand());
    }

    @Override
    public void initialize(Bootstrap<AllocatorConfiguration> bootstrap) {
        bootstrap.setConfigurationSourceProvider(
                new SubstitutingSourceProvider(new ConfigurationSource(), new EnvironmentVariableSubstitutor(false)));
        configure(bootstrap.getObjectMapper());
    }

    /** Times are ISO texts; a key without a value, as a variable that is not set leaves it, keeps its default. */
    private static void configure(ObjectMapper mapper) {
        mapper.disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);
        mapper.setDefaultSetterInfo(JsonSetter.Value.forValueNulls(Nulls.SKIP));
    }

    @Override
    public void run(AllocatorConfiguration configuration, Environment environment) {
        IdAllocator allocator = connect(configuration.allocator(), environment);
        IdSource source = new LeasedIdSource(allocator);
        PrometheusRegistry registry = new PrometheusRegistry();
        AllocatorMetrics metrics = new AllocatorMetrics(registry, source);

        HttpApi.register(environment.jersey(), source, new Draws(source, metrics::listener));
        HealthSetup.register(
                environment.healthChecks(),
                source,
                configuration.allocator().settings().zookeeper().sessionTimeout());

        environment
                .servlets()
                .addFilter("fatal-errors", new FatalErrorFilter())
                .addMappingForUrlPatterns(null, false, "/*");
        environment
                .admin()
                .addFilter("fatal-errors", new FatalErrorFilter())
                .addMappingForUrlPatterns(null, false, "/*");

        DropwizardExports.builder().dropwizardRegistry(environment.metrics()).register(registry);
        environment
                .admin()
                .addServlet("prometheus", new PrometheusMetricsServlet(registry))
                .addMapping("/prometheus");
        environment.admin().addServlet("leases", leases(allocator, environment)).addMapping("/leases/*");

        environment.lifecycle().addServerLifecycleListener(new Greeting(source));
        ((AbstractServerFactory) configuration.getServerFactory()).setRegisterDefaultExceptionMappers(false);
    }

    private static ClusterLeasesServlet leases(IdAllocator allocator, Environment environment) {
        return new ClusterLeasesServlet(allocator.cluster(), allocator.schemes(), environment.getObjectMapper());
    }

    /** What is managed first is stopped last: leases are released to a living ZooKeeper. */
    private static IdAllocator connect(AllocatorSection section, Environment environment) {
        Ensemble ensemble = Ensemble.of(section);
        environment.lifecycle().manage(new ClosedAtStop(ensemble));
        IdAllocator allocator = IdAllocator.connect(ensemble.settings());
        environment.lifecycle().manage(new ClosedAtStop(allocator));
        return allocator;
    }
}
