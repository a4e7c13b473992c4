package org.idallocator.core.id;

/** The checks that the schemes share. Each error names the bad value and what is allowed, with inclusive bounds. */
final class Require {
    private Require() {}

    /** Returns a field's value, or throws {@link IllegalArgumentException}. */
    static long inRange(String field, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("%s must be %d..%d: %d".formatted(field, min, max, value));
        }
        return value;
    }

    static long inRange(String field, long value, long max) {
        return inRange(field, value, 0, max);
    }

    static void length(String what, String text, int length) {
        if (text.length() != length) {
            throw new IdFormatException("%s must be %d characters: %d".formatted(what, length, text.length()));
        }
    }

    static void symbol(String what, String text, int position, char symbol) {
        if (text.charAt(position) != symbol) {
            throw new IdFormatException(
                    "%s must have '%c' at position %d: %s"
                            .formatted(what, symbol, position, Alphabet.quote(text, position)),
                    position);
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
