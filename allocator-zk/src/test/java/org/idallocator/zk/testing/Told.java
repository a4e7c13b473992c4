package org.idallocator.zk.testing;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.LoggerFactory;

/**
 * What the thread that made this tells the log until this is closed; other tests, on other threads, are not heard. Or
 * what all threads tell.
 */
public final class Told extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Predicate<Thread> heard;
    private final Consumer<ILoggingEvent> hook;
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final Level level;

    /** Hears one logger, or with a package's name all of that package; {@code hook} runs whenever something is told. */
    public Told(String logger, Consumer<ILoggingEvent> hook) {
        this(logger, hook, Thread.currentThread()::equals);
    }

    private Told(String logger, Consumer<ILoggingEvent> hook, Predicate<Thread> heard) {
        this.heard = heard;
        this.hook = hook;
        this.logger = (Logger) LoggerFactory.getLogger(logger);
        this.level = this.logger.getLevel();
        this.logger.setLevel(Level.DEBUG);
        start();
        this.logger.addAppender(this);
    }

    /** Hears all of a class's package. */
    public static Told inTheRoomOf(Class<?> type) {
        return new Told(type.getPackageName(), event -> {});
    }

    /** Hears all of a class's package, from whatever thread: also what other tests have it say at the same time. */
    public static Told byAnyThread(Class<?> type) {
        return new Told(type.getPackageName(), event -> {}, thread -> true);
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (heard.test(Thread.currentThread())) {
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
