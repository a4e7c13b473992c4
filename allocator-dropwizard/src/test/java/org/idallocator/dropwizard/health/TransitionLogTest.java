package org.idallocator.dropwizard.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.spi.ILoggingEvent;
import com.codahale.metrics.health.HealthCheck.Result;
import java.util.List;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.dropwizard.testing.Said;
import org.idallocator.zk.settings.Terms;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

class TransitionLogTest {
    private static final Result FAILING = Result.unhealthy("no slot");

    private final TransitionLog changes =
            new TransitionLog(LoggerFactory.getLogger(TransitionLogTest.class), "ready", false, new ScriptedClock(0));

    /** A start on which slots cool is no news. */
    @Test
    void shouldBePatientForLongerThanSlotsUsuallyCool() {
        assertTrue(TransitionLog.PATIENCE.compareTo(Terms.farthest()) > 0);
    }

    private static String inWords(ILoggingEvent event) {
        return event.getLevel() + " " + event.getFormattedMessage();
    }

    @Test
    void shouldTellChangesAndWhatWasExpectedAndIsNotNow() {
        try (Said said = new Said(TransitionLogTest.class, ch.qos.logback.classic.Level.INFO)) {
            changes.log(FAILING, Level.WARN); // it starts
            changes.log(Result.healthy(), Level.WARN);
            changes.log(Result.healthy(), Level.WARN);
            changes.log(Result.unhealthy("drained"), Level.INFO);
            changes.log(Result.unhealthy("drained"), Level.INFO);
            changes.log(FAILING, Level.WARN);
            changes.log(FAILING, Level.WARN);
            changes.log(Result.unhealthy("drained"), Level.INFO);
            changes.log(Result.healthy(), Level.WARN);

            assertEquals(
                    List.of("INFO ready", "INFO not ready: drained", "WARN not ready: no slot", "INFO ready"),
                    said.events().stream().map(TransitionLogTest::inWords).toList());
        }
    }
}
