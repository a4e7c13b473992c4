package org.idallocator.service.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dropwizard.jackson.Jackson;
import io.dropwizard.logging.common.layout.DiscoverableLayoutFactory;
import io.dropwizard.logging.common.layout.DropwizardLayoutFactory;
import java.util.List;
import java.util.TimeZone;
import org.idallocator.dropwizard.testing.Said;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What a log says of leases while a slot is changed for another, in the usual layout and in the one that an operator's
 * file names.
 */
@ExtendWith(SharedService.class)
class LeaseLinesTest {
    private static final ObjectMapper MAPPER = Jackson.newObjectMapper();
    private static final LoggerContext CONTEXT = new LoggerContext();
    private static final TimeZone UTC = TimeZone.getTimeZone("UTC");

    private static List<String> written(List<ILoggingEvent> events, LayoutBase<ILoggingEvent> layout) {
        layout.start();
        return events.stream().map(layout::doLayout).map(String::strip).toList();
    }

    @Test
    void shouldWriteKeysAndValuesAsTextAndFieldsAsJson(RunningService service) throws JsonProcessingException {
        List<ILoggingEvent> events;
        try (Said said = new Said("org.idallocator.zk.lease", Level.INFO)) {
            for (int i = 0; i < 2; i++) { // the first old slot is released by the second time
                assertEquals(
                        200,
                        service.admin()
                                .send("POST", "/tasks/rotate?scheme=uid60", "*/*")
                                .statusCode());
            }
            events = said.events();
        }
        DiscoverableLayoutFactory<ILoggingEvent> configured =
                MAPPER.readValue("{\"type\":\"json-fields\"}", new TypeReference<>() {});
        List<String> lines = written(events, new DropwizardLayoutFactory().build(CONTEXT, UTC));
        JsonNode claimed =
                MAPPER.readTree(written(events, configured.build(CONTEXT, UTC)).get(0));

        for (String change : List.of("claimed", "released")) {
            String line = "INFO .*LeaseLog: lease " + change
                    + " scheme=uid60 slot=[0-9]+ tenure=[0-9a-f-]{36} reason=released detail=\".+\"";
            assertTrue(lines.stream().anyMatch(written -> written.matches(line)), lines::toString);
        }
        assertEquals("claimed", claimed.path("change").asText());
        assertEquals("uid60", claimed.path("scheme").asText());
        assertTrue(claimed.path("slot").asText().matches("[0-9]+"), claimed.toString());
        assertEquals(36, claimed.path("tenure").asText().length());
        assertEquals("released", claimed.path("reason").asText());
        assertEquals("INFO", claimed.path("level").asText());
        assertTrue(claimed.path("message").asText().startsWith("lease claimed scheme=uid60 "), claimed.toString());
    }
}
