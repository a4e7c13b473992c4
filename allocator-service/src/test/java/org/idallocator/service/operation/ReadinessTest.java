package org.idallocator.service.operation;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private final RunningService service =
            RunningService.start(ObedientApplication.class).awaitReady();
    private final ObedientSource source =
            ((ObedientApplication) service.support().getApplication()).source();

    @AfterEach
    void stop() {
        service.close();
    }

    private JsonNode checks(String query) {
        return service.app().json("/health-check?" + query);
    }

    private void assertStatus(int status, String... queries) {
        for (String query : queries) {
            assertEquals(status, service.app().status("/health-check?" + query), query);
        }
    }

    private void awaitStatus(int status, String... queries) {
        await().atMost(Proof.size(HangGuard.TIME, Duration.ofSeconds(1)))
                .until(() -> List.of(queries).stream()
                        .allMatch(query -> service.app().status("/health-check?" + query) == status));
    }

    @Test
    void shouldAnswerByTheNamedChecksWithinASecond() {
        source.fence("sno", FenceReason.DEADLINE_PASSED);
        awaitStatus(503, "", "name=sno");
        JsonNode sno = checks("name=sno");

        assertTrue(sno.size() == 1 && !sno.path(0).path("healthy").asBoolean(true), sno.toString());
        assertEquals(Schemes.all().size() + 2, checks("name=all").size());
        assertStatus(503, "name=all", "name=leases", "name=muid&name=sno", "name=sno&type=ready");
        assertStatus(503, "name=nope", "name=muid&name=nope");
        assertStatus(200, "name=muid", "name=muid&name=uid60", "name=gid", "name=all&type=alive");

        source.serve();
        awaitStatus(200, "", "name=sno");
        source.leave(); // balancers that ask for single schemes are told as well
        awaitStatus(503, "", "name=sno");
    }

    /** Where nothing serves, ending the process would not help. */
    @Test
    void shouldNotBeAliveWhenTheLeaseThreadHangsAlone() {
        source.fenceAll(FenceReason.UNREACHABLE);
        awaitStatus(503, "", "name=muid", "name=uid60");
        assertStatus(200, "type=alive", "name=lease-thread");
        source.serve();
        awaitStatus(200, "", "name=muid", "name=uid60");

        source.hang(Duration.ofSeconds(61));
        awaitStatus(503, "type=alive", "name=lease-thread");
        assertEquals(500, service.admin().status("/healthcheck"));

        source.hang(Duration.ZERO);
        awaitStatus(200, "type=alive");
    }
}
