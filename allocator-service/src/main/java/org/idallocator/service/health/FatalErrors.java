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
 * Ends the process, with status 3, when the JVM has run out of memory or failed otherwise ({@link VirtualMachineError}), so that
 * whatever supervises it starts it again. Such an error hits any thread, also one on which everything waits, and Jetty,
 * Jersey, ZooKeeper and Curator catch and log it in theirs: the process would stay up, accept connections and never answer.
 *
 * <p>It sees what ends a thread, every throwable that is logged at whatever level, and what it is shown by {@link #endIfFatal}. As
 * that leaves out what others catch in silence, a {@link MemoryWatch} looks as well. A StackOverflowError is none of this: it
 * belongs to one call. Thread-safe.
 */
public final class FatalErrors {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(FatalErrors.class);
    private static final int STATUS = 3;
    private static final int LONGEST_CHAIN = 50;
    private static final AtomicReference<@Nullable FatalErrors> INSTALLED = new AtomicReference<>();

    private final Runnable end;

    /** {@code end} ends the process, without needing memory. */
    FatalErrors(Runnable end) {
        this.end = end;
    }

    /** For this process from now on. What is logged is seen until logging is configured anew: then it has to be called again. */
    public static void install() {
        FatalErrors first = new FatalErrors(new Halt());
        FatalErrors before = INSTALLED.compareAndExchange(null, first);
        if (before == null) {
            Thread.setDefaultUncaughtExceptionHandler(first::ended);
            MemoryWatch.start(first.end);
        }
        FatalErrors errors = before == null ? first : before;
        ((LoggerContext) LoggerFactory.getILoggerFactory()).addTurboFilter(errors.filter());
    }

    /** To be shown what is caught where it would not be logged. Does nothing where {@link #install} was not called. */
    public static void endIfFatal(Throwable thrown) {
        FatalErrors errors = INSTALLED.get();
        if (errors != null) {
            errors.look(thrown);
        }
    }

    /** Ends the process if it, or what caused it, is such an error. */
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

    /** What a thread ends with that nobody caught. */
    void ended(Thread thread, Throwable thrown) {
        look(thrown);
        try {
            LOG.error("thread {} has ended", thread.getName(), thrown);
        } catch (Throwable e) {
            look(e);
            e.printStackTrace();
        }
    }

    /** Lets everything pass. */
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
     * All that it needs was made before. Other threads that come here stay until the end, and ask for no memory any more:
     * else they could keep it away for long, as the JVM ends between two collections.
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
