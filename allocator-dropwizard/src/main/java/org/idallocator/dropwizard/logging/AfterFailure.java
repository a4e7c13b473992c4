package org.idallocator.dropwizard.logging;

/** Closes what was opened before a failure. */
public final class AfterFailure {
    private AfterFailure() {}

    /**
     * Closes {@code opened}, and throws nothing. What closing throws is added to {@code failure}, which the caller
     * throws.
     */
    public static void close(Throwable failure, AutoCloseable opened) {
        try {
            opened.close();
        } catch (Throwable e) {
            failure.addSuppressed(e);
        }
    }
}
