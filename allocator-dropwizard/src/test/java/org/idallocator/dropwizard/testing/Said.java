package org.idallocator.dropwizard.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * What a class says in the log and nobody else hears, until closed; from warnings on, or from another level. Hears it
 * also where a command has turned logging off, or a service keeps repetitions from the log, and from whatever thread.
 */
public final class Said implements AutoCloseable {
    private final Logger log;
    private final Level from;
    private final @Nullable Level before;
    private final List<TurboFilter> filters;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    public Said(Class<?> by) {
        this(by, Level.WARN);
    }

    public Said(Class<?> by, Level from) {
        this(by.getName(), from);
    }

    /**
     * What a class says that only its package sees; or, where {@code by} is the root logger, what all say, and others
     * hear as well.
     */
    public Said(String by, Level from) {
        log = (Logger) LoggerFactory.getLogger(by);
        this.from = from;
        before = log.getLevel();
        filters = List.copyOf(log.getLoggerContext().getTurboFilterList());
        log.getLoggerContext().resetTurboFilterList();
        log.setLevel(from);
        log.setAdditive(false);
        log.addAppender(appender);
        appender.list = new CopyOnWriteArrayList<>(); // other threads tell things meanwhile
        appender.start();
    }

    public List<ILoggingEvent> events() {
        return appender.list.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(from)) // a class below the root logger may say more
                .toList();
    }

    public List<String> lines() {
        return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Override
    public void close() {
        log.detachAppender(appender);
        log.setAdditive(true);
        log.setLevel(before);
        filters.forEach(log.getLoggerContext()::addTurboFilter);
    }
}
