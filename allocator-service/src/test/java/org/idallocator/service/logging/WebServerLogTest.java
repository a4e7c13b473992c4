package org.idallocator.service.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever a configuration says, the web server's loggers write no requests. */
class WebServerLogTest {
    private final LoggerContext context = new LoggerContext();
    private final Logger jetty = context.getLogger("org.eclipse.jetty");
    private final Logger parser = context.getLogger("org.eclipse.jetty.http.HttpParser");

    @BeforeEach
    void quiet() {
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.INFO);
    }

    @Test
    void shouldStayAtInfoWhenAllElseIsAtDebug() {
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.TRACE);
        context.getLogger("org").setLevel(Level.TRACE);
        WebServerLog.hold(context);

        assertFalse(parser.isDebugEnabled());
        assertTrue(parser.isInfoEnabled());
        assertTrue(context.getLogger("org.eclipse.jettyish").isTraceEnabled());
    }

    @Test
    void shouldRaiseWhatIsConfiguredLower() {
        parser.setLevel(Level.DEBUG);
        jetty.setLevel(Level.WARN);
        WebServerLog.hold(context);

        assertEquals(Level.INFO, parser.getLevel());
        assertEquals(Level.WARN, jetty.getLevel());
    }

    @Test
    void shouldStayWhereItIsWhenTheLevelAboveChanges() {
        WebServerLog.hold(context);
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.DEBUG);

        assertFalse(parser.isDebugEnabled());
    }

    @Test
    void shouldLetNobodyLowerIt() {
        for (Level low : List.of(Level.TRACE, Level.DEBUG)) {
            assertTrue(WebServerLog.mistake("org.eclipse.jetty.io", low, false).isPresent());
        }
        assertTrue(WebServerLog.mistake("org.eclipse.jetty", null, false).isPresent());
        assertTrue(WebServerLog.mistake("org.eclipse.jetty", Level.WARN, true).isPresent());
        assertEquals(Optional.empty(), WebServerLog.mistake("org.eclipse.jetty", Level.WARN, false));
        assertEquals(Optional.empty(), WebServerLog.mistake("org.eclipse", Level.DEBUG, true));
        assertEquals(Optional.empty(), WebServerLog.mistake("ROOT", Level.DEBUG, false));
    }
}
