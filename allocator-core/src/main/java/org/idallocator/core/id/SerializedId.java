package org.idallocator.core.id;

import java.io.InvalidObjectException;
import java.io.Serializable;

/**
 * What Java serialization writes in place of an ID of any type. Reading makes the ID anew through the checks of its type, so
 * that bits which the type excludes never become an ID.
 *
 * @param tag says which type, as in {@link IdKind}
 * @param high the upper 64 bits
 * @param low the lower 64 bits
 */
record SerializedId(byte tag, long high, long low) implements Serializable {
    private static final long serialVersionUID = 1;

    private Object readResolve() throws InvalidObjectException {
        try {
            return IdKind.ofTag(tag).read(high, low);
        } catch (IdFormatException e) {
            InvalidObjectException invalid = new InvalidObjectException(e.getMessage());
            invalid.initCause(e);
            throw invalid;
        }
    }
}
