package org.idallocator.core.id;

import java.util.Comparator;
import java.util.UUID;
import java.util.function.Function;

/** How databases compare UUIDs: by their bytes, unsigned. */
final class Uuids {
    private Uuids() {}

    static <T> Comparator<T> unsigned(Function<T, UUID> uuid) {
        return Comparator.comparing(uuid, Uuids::compare);
    }

    private static int compare(UUID left, UUID right) {
        int upper = Long.compareUnsigned(left.getMostSignificantBits(), right.getMostSignificantBits());
        return upper != 0
                ? upper
                : Long.compareUnsigned(left.getLeastSignificantBits(), right.getLeastSignificantBits());
    }
}
