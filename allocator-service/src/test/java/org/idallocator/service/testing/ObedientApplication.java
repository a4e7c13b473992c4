package org.idallocator.service.testing;

import io.dropwizard.core.Application;
import io.dropwizard.core.server.AbstractServerFactory;
import io.dropwizard.core.setup.Environment;
import java.time.Duration;
import java.util.Optional;
import org.idallocator.service.api.ZooKeeperEntry;
import org.idallocator.service.config.AllocatorConfiguration;
import org.idallocator.service.draw.Dispenser;
import org.idallocator.service.draw.DrawListener;
import org.idallocator.service.health.HealthSetup;
import org.idallocator.service.resources.HttpApi;

/** The routes and the readiness of the service, on an {@link ObedientSource}. */
public final class ObedientApplication extends Application<AllocatorConfiguration> {
    private static final ZooKeeperEntry ZOOKEEPER =
            new ZooKeeperEntry(Optional.empty(), Optional.empty(), "/id-allocator");

    private final ObedientSource source = new ObedientSource();

    public ObedientSource source() {
        return source;
    }

    @Override
    public void run(AllocatorConfiguration configuration, Environment environment) {
        HttpApi.registerErrors(environment);
        Dispenser dispenser = new Dispenser(source, name -> DrawListener.NONE);
        HttpApi.register(
                environment.jersey(),
                source,
                dispenser,
                configuration.allocator().counts(),
                () -> ZOOKEEPER);
        HttpApi.allow(environment, configuration.allocator().cors().origins());
        HealthSetup.register(environment.healthChecks(), source, Duration.ofSeconds(10));
        ((AbstractServerFactory) configuration.getServerFactory()).setRegisterDefaultExceptionMappers(false);
    }
}
