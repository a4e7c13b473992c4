package org.idallocator.core.id;

import java.time.Instant;

/** The checks of numbers and texts. Each error names the bad value and what is allowed, with inclusive bounds. */
public final class Bounds {
    private Bounds() {}

    /** Returns a number from {@code min} to {@code max}, both inclusive; throws {@link BadValueException} otherwise. */
    public static long require(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new BadValueException(name, "must be %d..%d: %d".formatted(min, max, value));
        }
        return value;
    }

    /** The same for an {@code int}. */
    public static int require(String name, int value, int min, int max) {
        return (int) require(name, (long) value, min, max);
    }

    /**
     * Returns a time from {@code first} to {@code last}, both inclusive; throws {@link BadValueException} otherwise.
     */
    static Instant time(Instant time, Instant first, Instant last) {
        if (time.isBefore(first) || time.isAfter(last)) {
            throw new BadValueException("time", "must be %s..%s: %s".formatted(first, last, time));
        }
        return time;
    }

    /** Returns a count of IDs, 1 or more; throws {@link BadValueException} for less. */
    public static int count(int count) {
        if (count < 1) {
            throw new BadValueException("count", "must be 1 or more: " + count);
        }
        return count;
    }

    static long require(String name, long value, long max) {
        return require(name, value, 0, max);
    }

    static void length(String what, String text, int length) {
        if (text.length() != length) {
            throw new IdFormatException("%s must be %d characters: %d".formatted(what, length, text.length()));
        }
    }

    /** Refuses set bits above the lowest {@code bits}, 1 to 64 + 63. */
    static void width(String what, long high, long low, int bits) {
        boolean fits =
                bits <= Long.SIZE ? high == 0 && low >>> (bits - 1) >>> 1 == 0 : high >>> (bits - Long.SIZE) == 0;
        if (!fits) {
            throw new IdFormatException("%s must be of %d bits: %016x%016x".formatted(what, bits, high, low));
        }
    }
}
