package org.idallocator.service.console;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What {@link ClusterWatch} says in the log, which nobody else hears until this is closed. */
final class Unheard implements AutoCloseable {
    private final Logger log = (Logger) LoggerFactory.getLogger(ClusterWatch.class);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    Unheard() {
        log.setLevel(Level.INFO); // whatever commands, which turn logging off, have left
        log.setAdditive(false);
        log.addAppender(appender);
        appender.start();
    }

    List<String> lines() {
        return appender.list.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    @Override
    public void close() {
        log.detachAppender(appender);
        log.setAdditive(true);
        log.setLevel(null);
    }
}
