package org.idallocator.service.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.dropwizard.core.Configuration;
import io.dropwizard.health.DefaultHealthFactory;
import io.dropwizard.health.HealthFactory;
import java.util.Optional;
import org.idallocator.service.health.HealthSetup;

/** The service's configuration file: Dropwizard's sections, and {@code allocator}. */
public final class AllocatorConfiguration extends Configuration {

    @Key
    private AllocatorSection allocator = new AllocatorSection();

    public AllocatorSection allocator() {
        return allocator;
    }

    /** The configured one, or the default, with the allocator's own checks. */
    @Override
    @JsonProperty("health")
    public Optional<HealthFactory> getHealthFactory() {
        HealthFactory factory = super.getHealthFactory().orElseGet(DefaultHealthFactory::new);
        if (factory instanceof DefaultHealthFactory checks) {
            HealthSetup.configure(checks, allocator.schemes());
        }
        return Optional.of(factory);
    }
}
