package org.idallocator.service.failures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RepeatedFailuresTest {
    private final LoggerContext context = new LoggerContext();
    private final Logger logger = context.getLogger("test");
    private final ListAppender<ILoggingEvent> told = new ListAppender<>();
    private final RepeatedFailures failures = new RepeatedFailures(logger);

    @BeforeEach
    void listen() {
        told.start();
        logger.addAppender(told);
    }

    private List<Level> levels() {
        return told.list.stream().map(ILoggingEvent::getLevel).toList();
    }

    @Test
    void shouldWarnOnceWithTheCauseAndTellRepetitionsQuietly() {
        failures.failed("it does not work", new IOException("first"));
        failures.failed("it does not work", new IOException("second"));
        failures.failed("it works even less", new IllegalStateException("third"));
        failures.failed("it works even less", new IllegalStateException("fourth"));

        assertEquals(List.of(Level.WARN, Level.DEBUG, Level.WARN, Level.DEBUG), levels());
        assertEquals("it does not work", told.list.get(0).getFormattedMessage());
        assertEquals(
                List.of("first", "second", "third", "fourth"),
                told.list.stream()
                        .map(each -> each.getThrowableProxy().getMessage())
                        .toList());
    }

    @Test
    void shouldWarnAgainAfterASuccess() {
        failures.succeeded();
        failures.failed("it does not work", new IOException("first"));
        failures.succeeded();
        failures.failed("it does not work", new IOException("second"));

        assertEquals(List.of(Level.WARN, Level.WARN), levels());
        assertTrue(told.list.stream().allMatch(each -> each.getThrowableProxy() != null));
    }
}
