package org.idallocator.core.scheme;

import org.jspecify.annotations.Nullable;

/** Values in what callers and operators write, and the one error for those that are not allowed. */
final class Values {
    private Values() {}

    /** Reads a whole number from {@code min} to {@code max}, both inclusive, in decimal digits without a sign. */
    static int inRange(String name, String value, int min, int max) {
        if (value.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw refused(name, min + ".." + max, value);
    }

    /** The error for a value that is not among those allowed. */
    static InvalidOptionException refused(String name, String allowed, Object value) {
        return refused(name, allowed, value, null);
    }

    /** The error for a value that is not among those allowed, with what reading it threw. */
    static InvalidOptionException refused(String name, String allowed, Object value, @Nullable Exception cause) {
        return new InvalidOptionException(name, name + " must be " + allowed + ": " + value, cause);
    }
}
