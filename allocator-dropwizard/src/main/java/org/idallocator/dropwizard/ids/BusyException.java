package org.idallocator.dropwizard.ids;

import java.time.Duration;

/**
 * Thrown where as much is done at a time as {@link Limits} allow: nothing was drawn, and a moment later there may be
 * room. Has no stack, as a selector's thread makes very many.
 */
public final class BusyException extends RuntimeException {
    /** After which time whoever was refused may ask again. */
    public static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private static final long serialVersionUID = 1L;

    /** Tells a client which limit refuses its request. Whoever makes one counts that by {@link IdService#countBusy}. */
    public BusyException(Limit limit) {
        super(
                "this replica serves no more " + limit + " at a time (limits." + limit + "); ask again",
                null,
                false,
                false);
    }
}
