package org.idallocator.service.health;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Ends the process with status 3 when the JVM has run out of memory or failed otherwise ({@link VirtualMachineError}), so that
 * whatever supervises the process starts it again. Such an error hits any thread, also one on which everything waits. Jetty,
 * Jersey, ZooKeeper and Curator catch and log it in their threads: the process would stay up, accept connections and never
 * answer.
 *
 * <p>This class sees the throwables that end a thread, those that are logged at whatever level, and those that {@link
 * #endIfFatal} is given. As others may catch one without a word, a {@link MemoryWatch} looks as well. A StackOverflowError does
 * not count: it belongs to one call. Thread-safe.
 */
public final class FatalErrors {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(FatalErrors.class);
    private static final int STATUS = 3;
    private static final int LONGEST_CHAIN = 50;
    private static final AtomicReference<@Nullable FatalErrors> INSTALLED = new AtomicReference<>();

    private final Runnable end;

    /** {@code end} ends the process, and needs no memory for that. */
    FatalErrors(Runnable end) {
        this.end = end;
    }

    /** Watches this process from now on. */
    public static void install() {
        FatalErrors errors = new FatalErrors(new Halt());
        if (INSTALLED.compareAndSet(null, errors)) {
            Thread.setDefaultUncaughtExceptionHandler(errors::ended);
            MemoryWatch.start(errors.end);
            watchLog();
        }
    }

    /** Sees what is logged, once the log was configured anew. Does nothing in a process where {@link #install} was not called. */
    public static void watchLog() {
        FatalErrors errors = INSTALLED.get();
        if (errors != null) {
            ((LoggerContext) LoggerFactory.getILoggerFactory()).addTurboFilter(errors.filter());
        }
    }

    /** Takes what was caught where it would not be logged. Does nothing in a process where {@link #install} was not called. */
    public static void endIfFatal(Throwable thrown) {
        FatalErrors errors = INSTALLED.get();
        if (errors != null) {
            errors.look(thrown);
        }
    }

    /** Ends the process if the throwable, or one of its causes, is such an error. */
    void look(@Nullable Throwable thrown) {
        Throwable each = thrown;
        for (int i = 0; each != null && i < LONGEST_CHAIN; i++) {
            if (each instanceof VirtualMachineError && !(each instanceof StackOverflowError)) {
                end.run();
                return;
            }
            each = each.getCause();
        }
    }

    /** Takes what ended a thread, because nobody caught it. */
    void ended(Thread thread, Throwable thrown) {
        look(thrown);
        try {
            LOG.error("thread {} has ended", thread.getName(), thrown);
        } catch (Throwable e) {
            look(e);
            e.printStackTrace();
        }
    }

    /** A filter that sees all that is logged, and lets all of it pass. */
    TurboFilter filter() {
        return new TurboFilter() {
            @Override
            public FilterReply decide(
                    @Nullable Marker marker,
                    Logger logger,
                    Level level,
                    @Nullable String format,
                    @Nullable Object @Nullable [] parameters,
                    @Nullable Throwable thrown) {
                if (thrown != null) {
                    look(thrown);
                } else if (parameters != null
                        && parameters.length > 0
                        && parameters[parameters.length - 1] instanceof Throwable last) {
                    look(last);
                }
                return FilterReply.NEUTRAL;
            }
        };
    }

    /**
     * Ends the process, with what was allocated before. Other threads that come here stay until the end, and allocate no more:
     * else they could put the end off for long, because the JVM halts between two garbage collections.
     */
    private static final class Halt implements Runnable {
        private final OutputStream error = new FileOutputStream(FileDescriptor.err);
        private final byte[] line = ("the JVM is out of memory, or failed otherwise; the process ends with status "
                        + STATUS + ", to be started again\n")
                .getBytes(StandardCharsets.US_ASCII);

        @Override
        public synchronized void run() {
            try {
                error.write(line);
            } catch (IOException | Error e) {
                // there is nobody to tell
            } finally {
                Runtime.getRuntime().halt(STATUS);
            }
        }
    }
}
