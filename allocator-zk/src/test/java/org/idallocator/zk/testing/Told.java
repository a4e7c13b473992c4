package org.idallocator.zk.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.LoggerFactory;

/** What the thread that made this tells the log until this is closed. Other tests, on other threads, are not heard. */
public final class Told extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Thread teller = Thread.currentThread();
    private final Consumer<ILoggingEvent> hook;
    private final List<ILoggingEvent> events = new ArrayList<>();
    private final Logger logger;
    private final Level level;

    /** Hears one logger, or with a package's name all of that room; {@code hook} runs whenever something is told. */
    public Told(String logger, Consumer<ILoggingEvent> hook) {
        this.hook = hook;
        this.logger = (Logger) LoggerFactory.getLogger(logger);
        this.level = this.logger.getLevel();
        this.logger.setLevel(Level.DEBUG);
        start();
        this.logger.addAppender(this);
    }

    /** Hears all of a class's room. */
    public static Told inTheRoomOf(Class<?> type) {
        return new Told(type.getPackageName(), event -> {});
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (Thread.currentThread() == teller) {
            events.add(event);
            hook.accept(event);
        }
    }

    /** What was told, in order. */
    public List<ILoggingEvent> events() {
        return List.copyOf(events);
    }

    /** The warnings with this in their sentence. */
    public List<ILoggingEvent> warnings(String part) {
        return events.stream()
                .filter(event -> event.getLevel().equals(Level.WARN))
                .filter(event -> event.getFormattedMessage().contains(part))
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setLevel(level);
        stop();
    }
}
