package org.idallocator.service.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dropwizard.jackson.Jackson;
import io.dropwizard.logging.common.AppenderFactory;
import io.dropwizard.logging.common.async.AsyncLoggingEventAppenderFactory;
import io.dropwizard.logging.common.filter.ThresholdLevelFilterFactory;
import io.dropwizard.logging.common.layout.DropwizardLayoutFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What a log says of leases, as an operator's file has it written. */
@ExtendWith(SharedService.class)
class LeaseLinesTest {
    private static final ObjectMapper MAPPER = Jackson.newObjectMapper();
    private static final Logger LEASES = (Logger) LoggerFactory.getLogger("org.idallocator.zk.lease");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    /** What an appender with this layout writes while a slot of uid60 is changed for another. */
    private List<String> written(String layout, RunningService service) throws IOException {
        Path file = directory.resolve("log");
        String configured =
                "{\"type\":\"file\",\"archive\":false,\"currentLogFilename\":\"" + file + "\"" + layout + "}";
        AppenderFactory<ILoggingEvent> factory = MAPPER.readValue(configured, new TypeReference<>() {});
        Appender<ILoggingEvent> appender = factory.build(
                LEASES.getLoggerContext(),
                "test",
                new DropwizardLayoutFactory(),
                new ThresholdLevelFilterFactory(),
                new AsyncLoggingEventAppenderFactory());
        Level level = LEASES.getLevel();
        LEASES.setLevel(Level.INFO);
        LEASES.addAppender(appender);
        try {
            assertEquals(
                    200,
                    service.admin()
                            .send("POST", "/tasks/rotate?scheme=uid60", "*/*")
                            .statusCode());
            service.admin().send("POST", "/tasks/rotate?scheme=uid60", "*/*"); // the first old slot is released by then
        } finally {
            LEASES.detachAppender(appender);
            LEASES.setLevel(level);
            appender.stop();
        }
        return Files.readAllLines(file);
    }

    @Test
    void shouldWriteKeysAndValuesAsText(RunningService service) throws IOException {
        List<String> lines = written("", service);

        String end = " scheme=uid60 slot=[0-9]+ tenure=[0-9a-f-]{36} reason=released detail=\".+\"";
        assertTrue(
                lines.stream().anyMatch(line -> line.matches("INFO .*LeaseLog: lease claimed" + end)), lines::toString);
        assertTrue(
                lines.stream().anyMatch(line -> line.matches("INFO .*LeaseLog: lease released" + end)),
                lines::toString);
    }

    @Test
    void shouldWriteFieldsAsJson(RunningService service) throws IOException {
        List<String> lines = written(",\"layout\":{\"type\":\"json-fields\"}", service);
        JsonNode claimed = MAPPER.readTree(lines.get(0));

        assertEquals("claimed", claimed.path("change").asText());
        assertEquals("uid60", claimed.path("scheme").asText());
        assertTrue(claimed.path("slot").asText().matches("[0-9]+"), lines.get(0));
        assertEquals(36, claimed.path("tenure").asText().length());
        assertEquals("released", claimed.path("reason").asText());
        assertEquals("INFO", claimed.path("level").asText());
        assertTrue(claimed.path("message").asText().startsWith("lease claimed scheme=uid60 "), lines.get(0));
    }
}
