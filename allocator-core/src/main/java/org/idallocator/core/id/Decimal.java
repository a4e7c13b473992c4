package org.idallocator.core.id;

/** Decimal numbers without leading zeros, up to the largest of a scheme. */
final class Decimal {
    private static final String SMALLEST = Long.toString(Long.MIN_VALUE);
    private static final long ALL = -1;

    private Decimal() {}

    /** Reads 64 bits as a number: unsigned, or signed as a {@code long} and a column of 64 bits give back. */
    static long parse(String what, String text) {
        return isNegative(text) ? parseNegative(what, text) : parse(what, text, ALL);
    }

    private static boolean isNegative(String text) {
        return text.startsWith("-") && text.length() > 1;
    }

    private static long parseNegative(String what, String text) {
        int length = text.length() - 1;
        if (length > SMALLEST.length() - 1) {
            throw new IdFormatException(
                    "%s must be 1..%d characters after the sign: %d".formatted(what, SMALLEST.length() - 1, length));
        }
        long magnitude = Alphabet.DECIMAL.read(what, text, 1, text.length());
        if (text.charAt(1) == '0') {
            throw new IdFormatException("%s must not start with -0: %s".formatted(what, text), 1);
        }
        if (text.length() == SMALLEST.length() && text.compareTo(SMALLEST) > 0) {
            throw new IdFormatException("%s must be %s or more: %s".formatted(what, SMALLEST, text));
        }
        return -magnitude;
    }

    /** Reads a number up to {@code max}, inclusive and unsigned, without a sign. */
    static long parse(String what, String text, long max) {
        String limit = Long.toUnsignedString(max);
        if (isNegative(text) && isNumber(text.substring(1))) {
            throw new IdFormatException("%s must be 0..%s: %s".formatted(what, limit, text), 0);
        }
        if (text.isEmpty() || text.length() > limit.length()) {
            throw new IdFormatException(
                    "%s must be 1..%d characters: %d".formatted(what, limit.length(), text.length()));
        }
        long value = Alphabet.DECIMAL.read(what, text, 0, text.length());
        requireNoLeadingZero(what, text);
        requireAtMost(what, text, limit);
        return value;
    }

    private static boolean isNumber(String text) {
        return text.chars().allMatch(symbol -> Alphabet.DECIMAL.contains((char) symbol));
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
