package org.idallocator.core.generator;

/** The checks of numbers against their bounds. */
final class Bounds {
    private Bounds() {}

    /** Returns a number from {@code min} to {@code max}, both inclusive; throws {@link IllegalArgumentException} otherwise. */
    static int require(String name, int value, int min, int max) {
        return (int) require(name, (long) value, min, max);
    }

    /** Returns a count of IDs, 1 or more. */
    static int count(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count must be 1 or more: " + count);
        }
        return count;
    }

    static long require(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be " + min + ".." + max + ": " + value);
        }
        return value;
    }
}
