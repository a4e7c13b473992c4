package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.example.shop.Gatekeeper;
import io.dropwizard.testing.DropwizardTestSupport;
import java.util.List;
import org.idallocator.core.testing.Proof;
import org.idallocator.service.config.AllocatorConfiguration;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a program has between the network and the routes sees all requests, also those that could be answered sooner. */
class GatekeepersTest {

    /** Each starts a service, so a build of minutes has one of each place in which a gatekeeper may stand. */
    static List<Gatekeeper> shouldPassNothingBy() {
        return Proof.size(
                List.of(Gatekeeper.JERSEY_FILTER, Gatekeeper.PROGRAMMATIC_RESOURCE, Gatekeeper.SERVLET_FILTER),
                List.of(Gatekeeper.values()));
    }

    @ParameterizedTest
    @MethodSource
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
