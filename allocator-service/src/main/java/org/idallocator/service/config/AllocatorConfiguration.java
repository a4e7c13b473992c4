package org.idallocator.service.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.dropwizard.core.Configuration;
import io.dropwizard.health.DefaultHealthFactory;
import io.dropwizard.health.HealthFactory;
import io.dropwizard.health.response.HealthResponse;
import jakarta.ws.rs.BadRequestException;
import java.util.Optional;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.health.HealthSetup;
import org.idallocator.service.problems.Problem;
import org.idallocator.service.problems.Refusal;

/** The service's configuration file: Dropwizard's sections, and {@code allocator}. */
public final class AllocatorConfiguration extends Configuration {

    @Key
    private AllocatorSection allocator = new AllocatorSection();

    public AllocatorSection allocator() {
        return allocator;
    }

    /** The configured factory, or the default one, with the allocator's checks added. */
    @Override
    @JsonProperty("health")
    public Optional<HealthFactory> getHealthFactory() {
        HealthFactory factory = super.getHealthFactory().orElseGet(DefaultHealthFactory::new);
        if (factory instanceof DefaultHealthFactory checks) {
            HealthSetup.configure(checks, allocator.schemes(), AllocatorConfiguration::badRequest);
        }
        return Optional.of(factory);
    }

    private static HealthResponse badRequest(String detail) {
        Problem problem = Refusal.of(new BadRequestException(detail)).problem();
        return new HealthResponse(false, AnswerMapper.line(problem), Problem.MEDIA_TYPE, problem.status());
    }
}
