package org.idallocator.core.scheme;

import java.util.List;

/** A scheme was asked for by a name that none of the schemes at hand has. The message lists the names that they have. */
public final class UnknownSchemeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    UnknownSchemeException(String name, List<String> known) {
        super("unknown scheme " + name + "; known are " + String.join(", ", known));
    }
}
