package org.idallocator.dropwizard.ids;

import java.time.Duration;

/**
 * A limit of {@link Limits} is reached. Nothing was drawn, and there may be room a moment later. Has no stack trace,
 * because a selector's thread makes very many of these.
 */
public final class BusyException extends RuntimeException {
    /** How long a refused client should wait before it asks again. */
    public static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private static final long serialVersionUID = 1L;

    /** Refuses a request by a limit. Whoever makes the exception counts the refusal by {@link IdService#countBusy}. */
    public BusyException(Limit limit) {
        super(
                "this replica serves no more " + limit + " at a time (limits." + limit + "); ask again",
                null,
                false,
                false);
    }
}
