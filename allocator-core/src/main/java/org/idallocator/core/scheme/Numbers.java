package org.idallocator.core.scheme;

/** Whole numbers in what callers send. */
final class Numbers {
    private Numbers() {}

    /** {@code min} to {@code max}, both inclusive, in decimal digits without a sign. */
    static int inRange(String name, String value, int min, int max) {
        if (value.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw new IllegalArgumentException(name + " must be " + min + ".." + max + ": " + value);
    }
}
