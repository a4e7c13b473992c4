package org.idallocator.dropwizard.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.spi.ILoggingEvent;
import com.codahale.metrics.health.HealthCheck.Result;
import java.util.List;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.dropwizard.testing.Said;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

class ChangeLogTest {
    private static final Result FAILING = Result.unhealthy("no slot");

    private final ChangeLog changes =
            new ChangeLog(LoggerFactory.getLogger(ChangeLogTest.class), "ready", false, new ScriptedClock(0));

    private static String inWords(ILoggingEvent event) {
        return event.getLevel() + " " + event.getFormattedMessage();
    }

    @Test
    void shouldTellChangesAndWhatWasExpectedAndIsNotNow() {
        try (Said said = new Said(ChangeLogTest.class, ch.qos.logback.classic.Level.INFO)) {
            changes.tell(FAILING, Level.WARN); // it starts
            changes.tell(Result.healthy(), Level.WARN);
            changes.tell(Result.healthy(), Level.WARN);
            changes.tell(Result.unhealthy("drained"), Level.INFO);
            changes.tell(Result.unhealthy("drained"), Level.INFO);
            changes.tell(FAILING, Level.WARN);
            changes.tell(FAILING, Level.WARN);
            changes.tell(Result.unhealthy("drained"), Level.INFO);
            changes.tell(Result.healthy(), Level.WARN);

            assertEquals(
                    List.of("INFO ready", "INFO not ready: drained", "WARN not ready: no slot", "INFO ready"),
                    said.events().stream().map(ChangeLogTest::inWords).toList());
        }
    }
}
