package org.idallocator.dropwizard.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.idallocator.core.clock.ScriptedClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReminderTest {
    private final Logger logger = new LoggerContext().getLogger("test");
    private final ListAppender<ILoggingEvent> told = new ListAppender<>();
    private final ScriptedClock clock = new ScriptedClock(0);
    private final Reminder reminder = new Reminder(logger, clock);

    @BeforeEach
    void listen() {
        told.start();
        logger.addAppender(told);
    }

    @Test
    void shouldWarnInOneLineAtFirstAndAgainEachMinuteHoweverOftenItIsTold() {
        for (int second = 0; second < 121; second += 2) {
            reminder.warn("it is full since " + second, new IOException("no space"));
            clock.advance(Duration.ofSeconds(2));
        }
        List<ILoggingEvent> warned = told.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .toList();

        assertEquals(
                List.of("it is full since 0", "it is full since 60", "it is full since 120"),
                warned.stream().map(ILoggingEvent::getFormattedMessage).toList());
        warned.forEach(event -> assertNull(event.getThrowableProxy()));
        assertEquals(61 + 3, told.list.size(), "each is told with its cause at debug");
    }
}
