package org.idallocator.core.scheme;

import java.util.List;

/**
 * No scheme has the name that was asked for, or the scheme needs no slots. The message lists the names that would do.
 */
public final class UnknownSchemeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private UnknownSchemeException(String message) {
        super(message);
    }

    static UnknownSchemeException named(String name, List<String> known) {
        return new UnknownSchemeException("unknown scheme " + name + "; known are " + String.join(", ", known));
    }

    static UnknownSchemeException withoutSlots(String name, List<String> leased) {
        return new UnknownSchemeException(
                "scheme " + name + " needs no slots; schemes with slots are " + String.join(", ", leased));
    }
}
