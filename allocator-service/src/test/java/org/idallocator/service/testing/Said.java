package org.idallocator.service.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What a class says in the log, from warnings on, and nobody else hears, until closed; also where a command has turned logging off. */
public final class Said implements AutoCloseable {
    private final Logger log;
    private final @Nullable Level before;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    public Said(Class<?> by) {
        log = (Logger) LoggerFactory.getLogger(by);
        before = log.getLevel();
        log.setLevel(Level.WARN);
        log.setAdditive(false);
        log.addAppender(appender);
        appender.list = new CopyOnWriteArrayList<>(); // other threads tell things meanwhile
        appender.start();
    }

    public List<ILoggingEvent> events() {
        return List.copyOf(appender.list);
    }

    public List<String> lines() {
        return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Override
    public void close() {
        log.detachAppender(appender);
        log.setAdditive(true);
        log.setLevel(before);
    }
}
