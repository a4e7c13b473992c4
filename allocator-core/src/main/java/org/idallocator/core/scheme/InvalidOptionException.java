package org.idallocator.core.scheme;

import org.jspecify.annotations.Nullable;

/**
 * A value that an option of a scheme, or a parameter of a request, cannot have; or an option that the scheme does not have. The
 * message names the option, what is allowed, and the value.
 */
public final class InvalidOptionException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final String key;

    InvalidOptionException(String key, String message) {
        this(key, message, null);
    }

    InvalidOptionException(String key, String message, @Nullable Exception cause) {
        super(message, cause);
        this.key = key;
    }

    /** What was refused: an option with its scheme, such as {@code sno.shards}, or a parameter, such as {@code metabyte}. */
    public String key() {
        return key;
    }
}
