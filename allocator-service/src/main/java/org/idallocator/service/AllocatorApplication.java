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
import org.idallocator.service.cli.ServeCommand;
import org.idallocator.service.config.AllocatorConfiguration;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.draw.Draws;
import org.idallocator.service.draw.IdSource;
import org.idallocator.service.draw.LeasedIdSource;
import org.idallocator.service.embedded.EmbeddedZooKeeper;
import org.idallocator.service.health.AllocatorMetrics;
import org.idallocator.service.health.HealthSetup;
import org.idallocator.service.resources.HttpApi;
import org.idallocator.zk.AllocatorSettings;
import org.idallocator.zk.IdAllocator;

/** The service and its commands: {@code server} on the embedded default when started without arguments. */
public final class AllocatorApplication extends Application<AllocatorConfiguration> {

    public static void main(String[] arguments) throws Exception {
        new AllocatorApplication().run(arguments.length == 0 ? new String[] {"server"} : arguments);
    }

    @Override
    public String getName() {
        return "id-allocator";
    }

    @Override
    protected void addDefaultCommands(Bootstrap<AllocatorConfiguration> bootstrap) {
        bootstrap.addCommand(new ServeCommand<>(this));
        bootstrap.addCommand(new CheckCommand(this));
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
        IdSource source = new LeasedIdSource(connect(configuration.allocator(), environment));
        PrometheusRegistry registry = new PrometheusRegistry();
        AllocatorMetrics metrics = new AllocatorMetrics(registry, source);

        HttpApi.register(environment.jersey(), source, new Draws(source, metrics::listener));
        HealthSetup.register(environment.healthChecks(), source);

        DropwizardExports.builder().dropwizardRegistry(environment.metrics()).register(registry);
        environment.admin().addServlet("prometheus", new PrometheusMetricsServlet(registry)).addMapping("/prometheus");

        environment.lifecycle().addServerLifecycleListener(new Greeting(source));
        ((AbstractServerFactory) configuration.getServerFactory()).setRegisterDefaultExceptionMappers(false);
    }

    private static IdAllocator connect(AllocatorSection section, Environment environment) {
        AllocatorSettings settings = section.settings();
        if (section.embedded().enabled()) {
            settings = section.settings(embedded(section, environment).connect());
        }
        IdAllocator allocator = IdAllocator.connect(settings);
        environment.lifecycle().manage(new ClosedAtStop(allocator));
        return allocator;
    }

    /** Is managed before the allocator, so it is stopped after it: leases are released to a living ZooKeeper. */
    private static EmbeddedZooKeeper embedded(AllocatorSection section, Environment environment) {
        EmbeddedZooKeeper zookeeper = EmbeddedZooKeeper.start(
                section.embedded().dataDir(), section.embedded().port());
        environment.lifecycle().manage(new ClosedAtStop(zookeeper));
        return zookeeper;
    }
}
