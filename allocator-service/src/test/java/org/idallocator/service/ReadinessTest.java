package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.idallocator.service.testing.Http;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.ObedientSource;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private static final Duration SECOND = Proof.size(HangGuard.TIME, Duration.ofSeconds(1));

    private final RunningService service = RunningService.start(ObedientApplication.class);
    private final ObedientSource source =
            ((ObedientApplication) service.support().getApplication()).source();

    @BeforeEach
    void ready() {
        service.awaitReady();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void shouldNotBeReadyWithinASecondWhenFencedAndReadyAgainWhenServing() {
        source.fence("sno", FenceReason.DEADLINE_PASSED);
        await().atMost(SECOND).until(() -> status() == 503 && !healthy("sno"));
        assertEquals(true, healthy("muid"));

        source.serve();
        await().atMost(SECOND).until(() -> status() == 200);
    }

    @Test
    void shouldAnswerByTheNamedChecksAlone() {
        source.fence("sno", FenceReason.NO_FREE_SLOT);
        await().atMost(SECOND).until(() -> status() == 503);
        assertEquals(503, status("name=sno"));
        JsonNode said = Http.json(service.app().get("/health-check?name=sno"));

        assertEquals(1, said.size());
        assertFalse(said.path(0).path("healthy").asBoolean());
        assertEquals(200, status("name=muid"));
        assertEquals(200, status("name=muid&name=uid60"));
        assertEquals(503, status("name=muid&name=sno"));
        assertEquals(503, status("name=sno&type=ready"));
        assertEquals(200, status("name=gid"), "a scheme as the others, without leases");
        assertEquals(503, status("name=nope"));
        assertEquals(503, status("name=muid&name=nope"));

        source.serve();
        await().atMost(SECOND).until(() -> status("name=sno") == 200);
    }

    /** Dropwizard reads it in any case. */
    @Test
    void shouldReadTheTypeInAnyCase() {
        assertEquals(200, status("type=ALIVE"));
        assertEquals(200, status("type=Ready"));
    }

    @Test
    void shouldAnswerForAllAsWithoutNames() {
        source.fence("sno", FenceReason.DEADLINE_PASSED);
        await().atMost(SECOND).until(() -> status() == 503);

        assertEquals(503, status("name=all"));
        assertEquals(503, status("name=leases"));
        assertEquals(200, status("name=muid"));
        assertEquals(200, status("name=all&type=alive"));
    }

    @Test
    void shouldNotBeAliveWhenTheLeaseThreadHangs() {
        assertEquals(200, status("type=alive"));
        assertEquals(true, healthy("lease-thread"));

        source.hang(Duration.ofSeconds(61));
        await().atMost(SECOND).until(() -> status("type=alive") == 503);
        assertEquals(false, healthy("lease-thread"));
        assertEquals(500, service.admin().status("/healthcheck"));

        source.hang(Duration.ZERO);
        await().atMost(SECOND).until(() -> status("type=alive") == 200);
    }

    /** Ending the process would not help. */
    @Test
    void shouldBeAliveWhenNothingServes() {
        source.fenceAll(FenceReason.UNREACHABLE);

        await().atMost(SECOND).until(() -> status() == 503);
        assertEquals(200, status("type=alive"));
    }

    private int status(String query) {
        return service.app().status("/health-check?" + query);
    }

    private int status() {
        return service.app().status("/health-check");
    }

    private boolean healthy(String name) {
        await().atMost(SECOND)
                .until(() -> Http.json(service.app().get("/health-check?name=" + name))
                                .size()
                        == 1);
        JsonNode checks = Http.json(service.app().get("/health-check?name=all"));
        for (JsonNode check : checks) {
            if (check.path("name").asText().equals(name)) {
                return check.path("healthy").asBoolean();
            }
        }
        throw new AssertionError("not listed: " + name + " in " + checks);
    }
}
