package org.idallocator.dropwizard.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepetitionFilterTest {
    private final LoggerContext context = new LoggerContext();
    private final Logger web = context.getLogger("org.eclipse.jetty.server.Response");
    private final Logger jersey = context.getLogger("org.glassfish.jersey.server.ServerRuntime$Responder");
    private final ListAppender<ILoggingEvent> written = new ListAppender<>();

    /** What is to be done in a minute. */
    private List<Runnable> later = new ArrayList<>();

    @BeforeEach
    void listen() {
        written.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(written);
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.INFO);
        context.addTurboFilter(new RepetitionFilter(context.getLogger("count"), task -> later.add(task)));
    }

    private void aMinutePasses() {
        List<Runnable> due = later;
        later = new ArrayList<>();
        due.forEach(Runnable::run);
    }

    private List<String> lines() {
        List<String> lines =
                written.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        written.list.clear();
        return lines;
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            web.warn("writeError: status={}", 400 + i, new IOException("gone " + i));
        }
    }

    @Test
    void shouldLogTheFirstWithItsStackAndThenAMinuteHowManyMore() {
        fail(1000);
        assertNotNull(written.list.get(0).getThrowableProxy());
        assertEquals(List.of("writeError: status=400"), lines());

        aMinutePasses();
        assertEquals(
                List.of("999 more in a minute from org.eclipse.jetty.server.Response:"
                        + " writeError: status={} (java.io.IOException)"),
                lines());

        fail(2);
        assertEquals(List.of(), lines());
        aMinutePasses();
        assertEquals(1, lines().size());
    }

    @Test
    void shouldLogAFirstOneAgainAfterAMinuteWithout() {
        fail(2);
        aMinutePasses();
        aMinutePasses();
        assertEquals(List.of(), later);
        lines();

        fail(2);
        assertEquals(List.of("writeError: status=400"), lines());
    }

    @Test
    void shouldTellKindsApartByLoggerMessageAndException() {
        for (int i = 0; i < 3; i++) {
            web.warn("one");
            web.warn("another");
            jersey.error("one");
            web.warn("one", new IOException("gone"));
            web.warn("one", new IllegalStateException("a mistake"));
            web.atWarn().setCause(new IOException("gone")).log("one");
        }

        assertEquals(List.of("one", "another", "one", "one", "one"), lines());
    }

    @ParameterizedTest
    @ValueSource(strings = {"org.idallocator.zk.lease.LeaseLog", "org.apache.zookeeper.ClientCnxn", "com.example.Shop"})
    void shouldLeaveAloneWhatClientsHaveNoPartIn(String logger) {
        for (int i = 0; i < 3; i++) {
            context.getLogger(logger).warn("again");
        }

        assertEquals(List.of("again", "again", "again"), lines());
    }

    @Test
    void shouldLeaveAloneWhatIsNoWarningOrIsNotLoggedAtAll() {
        web.info("started");
        web.info("started");
        jersey.setLevel(Level.OFF);
        jersey.error("hidden");

        assertEquals(List.of("started", "started"), lines());
        assertFalse(jersey.isErrorEnabled());
        assertEquals(List.of(), later);
    }

    @Test
    void shouldTakeALoggersMessagesForOneKindWhereClientsMakeThemUp() {
        int many = 10 * Repetitions.MAX_KINDS;
        for (int i = 0; i < many; i++) {
            jersey.warn("a header cannot be read: " + i);
        }
        assertEquals(Repetitions.MAX_KINDS + 1, lines().size());

        aMinutePasses();
        assertEquals(
                List.of((many - Repetitions.MAX_KINDS - 1) + " more in a minute from " + jersey.getName()
                        + ": other messages"),
                lines());
    }
}
