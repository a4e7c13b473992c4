package org.idallocator.service.health;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process with status 3 when the JVM has run out of memory or failed otherwise ({@link VirtualMachineError}), so that
 * whatever supervises the process starts it again. This class sees the throwables that end a thread, and those that {@link
 * #endIfFatal} is given; what others catch, the JVM's own {@code -XX:+ExitOnOutOfMemoryError} sees. A StackOverflowError does not
 * count: it belongs to one call. Thread-safe.
 */
public final class FatalErrors {
    private static final Logger LOG = LoggerFactory.getLogger(FatalErrors.class);
    private static final int STATUS = 3;
    private static final int LONGEST_CHAIN = 50;
    private static volatile @Nullable FatalErrors installed;

    private final Runnable end;

    /** {@code end} ends the process, and needs no memory for that. */
    FatalErrors(Runnable end) {
        this.end = end;
    }

    /** Watches this process from now on. */
    public static void install() {
        FatalErrors errors = new FatalErrors(new Halt());
        installed = errors;
        Thread.setDefaultUncaughtExceptionHandler(errors::ended);
    }

    /** Takes what was caught. Does nothing in a process where {@link #install} was not called. */
    public static void endIfFatal(Throwable thrown) {
        FatalErrors errors = installed;
        if (errors != null) {
            errors.look(thrown);
        }
    }

    /** Ends the process if the throwable, or one of its causes, is such an error. */
    void look(Throwable thrown) {
        @Nullable Throwable each = thrown;
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
        LOG.error("thread {} has ended", thread.getName(), thrown);
    }

    /** Ends the process, with what was allocated before. */
    private static final class Halt implements Runnable {
        private final OutputStream error = new FileOutputStream(FileDescriptor.err);
        private final byte[] line = ("the JVM is out of memory, or failed otherwise; the process ends with status "
                        + STATUS + ", to be started again\n")
                .getBytes(StandardCharsets.US_ASCII);

        @Override
        public void run() {
            try {
                error.write(line);
            } catch (IOException e) {
                // there is nobody to tell
            } finally {
                Runtime.getRuntime().halt(STATUS);
            }
        }
    }
}
