package org.idallocator.core.id;

/** Unsigned decimal numbers without sign or leading zeros, up to the largest of a scheme. */
final class Decimal {
    private Decimal() {}

    /** Reads a number up to {@code max}, inclusive and unsigned. */
    static long parse(String what, String text, long max) {
        String limit = Long.toUnsignedString(max);
        if (text.isEmpty() || text.length() > limit.length()) {
            throw new IdFormatException(
                    "%s must be 1..%d characters: %d".formatted(what, limit.length(), text.length()));
        }
        long value = Alphabet.DECIMAL.read(what, text, 0, text.length());
        requireNoLeadingZero(what, text);
        requireAtMost(what, text, limit);
        return value;
    }

    private static void requireNoLeadingZero(String what, String text) {
        if (text.length() > 1 && text.charAt(0) == '0') {
            throw new IdFormatException("%s must not start with 0: %s".formatted(what, text), 0);
        }
    }

    /** Numbers without leading zeros sort by length, then as text. */
    private static void requireAtMost(String what, String text, String limit) {
        if (text.length() == limit.length() && text.compareTo(limit) > 0) {
            throw new IdFormatException("%s must be 0..%s: %s".formatted(what, limit, text));
        }
    }
}
