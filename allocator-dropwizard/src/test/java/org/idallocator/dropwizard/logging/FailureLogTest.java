package org.idallocator.dropwizard.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.OverCapacityException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FailureLogTest {
    private final LoggerContext context = new LoggerContext();
    private final Logger logger = context.getLogger("test");
    private final ListAppender<ILoggingEvent> told = new ListAppender<>();
    private final ScriptedClock clock = new ScriptedClock(0);
    private final FailureLog failures = new FailureLog(logger, clock);

    @BeforeEach
    void listen() {
        told.start();
        logger.addAppender(told);
    }

    private void fenced(String scheme, FenceReason reason) {
        failures.failed(scheme, "cut off", new FencedException(reason, reason.sentence(), Duration.ZERO));
    }

    private List<Level> levels() {
        return told.list.stream().map(ILoggingEvent::getLevel).toList();
    }

    @Test
    void shouldWarnOnceWithTheCauseOfEachClassAndAgainAfterASuccess() {
        IOException cause = new IOException("first");
        failures.succeeded();
        failures.failed("it does not work", cause);
        failures.failed("it does not work", new IOException("second"));
        failures.failed("it works even less", new IllegalStateException("third"));
        failures.succeeded();
        failures.failed("it does not work", new IOException("fourth"));

        assertEquals(List.of(Level.WARN, Level.DEBUG, Level.WARN, Level.WARN), levels());
        assertEquals("it does not work", told.list.get(0).getFormattedMessage());
        assertSame(cause, thrown(0));
    }

    @Test
    void shouldTellAStateInOneLineAndItsCauseAtDebug() {
        RuntimeException cause = new OverCapacityException("more than the time holds", Duration.ZERO);
        failures.failed("sno", "cut off", cause);
        failures.failed("sno", "cut off", cause);

        assertEquals("cut off: more than the time holds", told.list.get(0).getFormattedMessage());
        assertNull(told.list.get(0).getThrowableProxy());
        assertEquals("cut off", told.list.get(1).getFormattedMessage());
        assertSame(cause, thrown(1));
    }

    private Throwable thrown(int line) {
        return ((ThrowableProxy) told.list.get(line).getThrowableProxy()).getThrowable();
    }

    @Test
    void shouldWarnOnceOfEachReasonAndEachSchemeWhenTheyAlternate() {
        for (int i = 0; i < 2; i++) {
            fenced("sno", FenceReason.DEADLINE_PASSED);
            fenced("sno", FenceReason.CLOCK_SKEW);
            fenced("muid", FenceReason.CLOCK_SKEW);
        }

        assertEquals(List.of(Level.WARN, Level.WARN, Level.WARN, Level.DEBUG, Level.DEBUG, Level.DEBUG), levels());
    }

    /** The silence is counted from the latest failure, not from the one that was a warning. */
    @Test
    void shouldWarnAgainOnlyAfterSilence() {
        fenced("sno", FenceReason.DEADLINE_PASSED);
        clock.advance(FailureLog.QUIET);
        fenced("sno", FenceReason.DEADLINE_PASSED);
        clock.advance(FailureLog.QUIET);
        fenced("sno", FenceReason.DEADLINE_PASSED);
        clock.advance(FailureLog.QUIET.plusNanos(1));
        fenced("sno", FenceReason.DEADLINE_PASSED);

        assertEquals(List.of(Level.WARN, Level.DEBUG, Level.DEBUG, Level.WARN), levels());
    }
}
