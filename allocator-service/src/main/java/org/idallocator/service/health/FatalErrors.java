package org.idallocator.service.health;

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
    private static final String LAST_LINE =
            "the JVM is out of memory, or failed otherwise; the process ends with status " + STATUS
                    + ", to be started again";
    private static volatile boolean installed;

    private FatalErrors() {}

    /** Watches this process from now on. */
    public static void install() {
        installed = true;
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            endIfFatal(thrown);
            LOG.error("thread {} has ended", thread.getName(), thrown);
        });
    }

    /** Takes what was caught. Does nothing in a process where {@link #install} was not called. */
    public static void endIfFatal(Throwable thrown) {
        if (installed && isFatal(thrown)) {
            try {
                System.err.println(LAST_LINE);
            } finally { // even if there is no memory for the line
                Runtime.getRuntime().halt(STATUS);
            }
        }
    }

    /** Whether the throwable, or one of its causes, is such an error. */
    static boolean isFatal(Throwable thrown) {
        Throwable each = thrown;
        for (int i = 0; each != null && i < LONGEST_CHAIN; i++) {
            if (each instanceof VirtualMachineError && !(each instanceof StackOverflowError)) {
                return true;
            }
            each = each.getCause();
        }
        return false;
    }
}
