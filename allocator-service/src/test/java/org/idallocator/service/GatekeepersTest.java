package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.example.shop.Gatekeeper;
import io.dropwizard.testing.DropwizardTestSupport;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.config.AllocatorConfiguration;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a program has between the network and the routes sees all requests, also those that could be answered sooner. */
class GatekeepersTest {
    @ParameterizedTest
    @EnumSource
    @ProofOnly("servers of its own")
    void shouldPassNothingBy(Gatekeeper gatekeeper) {
        try (RunningService service = RunningService.start(
                ObedientApplication.class, new DropwizardTestSupport.ServiceListener<AllocatorConfiguration>() {
                    @Override
                    public void onRun(
                            AllocatorConfiguration configuration,
                            io.dropwizard.core.setup.Environment environment,
                            DropwizardTestSupport<AllocatorConfiguration> support) {
                        gatekeeper.guard(environment);
                    }
                })) {
            assertEquals(403, service.app().get("/ids/sno").statusCode());
        }
    }
}
