package org.idallocator.service.health;

import org.apache.commons.lang3.exception.ExceptionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process with status 3 when a thread ends because the JVM has run out of memory or failed otherwise ({@link
 * VirtualMachineError}), so that whatever supervises the process starts it again. What others catch, the JVM's own {@code
 * -XX:+ExitOnOutOfMemoryError} sees. A StackOverflowError does not count: it belongs to one call. Thread-safe.
 */
public final class FatalErrors {
    private static final Logger LOG = LoggerFactory.getLogger(FatalErrors.class);
    private static final int STATUS = 3;
    private static final String LAST_LINE =
            "the JVM is out of memory, or failed otherwise; the process ends with status " + STATUS
                    + ", to be started again";

    private FatalErrors() {}

    /** Watches this process from now on. */
    public static void install() {
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            if (isFatal(thrown)) {
                try {
                    System.err.println(LAST_LINE);
                } finally { // even if there is no memory for the line
                    Runtime.getRuntime().halt(STATUS);
                }
            }
            LOG.error("thread {} has ended", thread.getName(), thrown);
        });
    }

    /** Whether the throwable, or one of its causes, is such an error. */
    static boolean isFatal(Throwable thrown) {
        return ExceptionUtils.getThrowableList(thrown).stream()
                .anyMatch(each -> each instanceof VirtualMachineError && !(each instanceof StackOverflowError));
    }
}
