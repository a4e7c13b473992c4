package org.idallocator.core.scheme;

import java.util.List;

/** No scheme at hand has the name that was asked for, or the one that has it needs no slots. The message lists those that would do. */
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
