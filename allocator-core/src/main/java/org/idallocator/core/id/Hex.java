package org.idallocator.core.id;

import java.util.HexFormat;

/**
 * Hex of a fixed number of digits. Lower-case digits are written. Digits of either case are read, also after {@code 0x}, as
 * programs write numbers, or {@code \x}, as PostgreSQL writes bytes.
 */
final class Hex {
    private static final int DIGIT_BITS = 4;
    private static final int LONG_DIGITS = Long.SIZE / DIGIT_BITS;
    private static final int PREFIX = 2;

    private Hex() {}

    /** Writes 16 digits, the letters from {@code letter} on, which is {@code 'a'} or {@code 'A'}. */
    static void write(long value, char letter, byte[] buffer, int offset) {
        writeEight(value >>> Integer.SIZE, letter, buffer, offset);
        writeEight(value & 0xffff_ffffL, letter, buffer, offset + Long.BYTES);
    }

    /** Each digit of 32 bits goes to a byte of its own. */
    private static void writeEight(long bits, char letter, byte[] buffer, int offset) {
        long words = (bits << 16 | bits) & 0x0000_ffff_0000_ffffL;
        long bytes = (words << 8 | words) & 0x00ff_00ff_00ff_00ffL;
        long digits = (bytes << DIGIT_BITS | bytes) & 0x0f0f_0f0f_0f0f_0f0fL;
        Alphabet.writeEight(digits, 10, '0', letter, buffer, offset);
    }

    static String toText(long high, long low, int digits) {
        HexFormat hex = HexFormat.of();
        return (hex.toHexDigits(high) + hex.toHexDigits(low)).substring(2 * LONG_DIGITS - digits);
    }

    /** Reads digits of either case, with or without a prefix. */
    static <T extends Id> T parse(String what, String text, int digits, IdReader<T> reader) {
        int from = prefix(text);
        if (from == 0) {
            return parse(Alphabet.HEX, what, text, digits, reader);
        }
        int given = text.length() - from;
        if (given != digits) {
            throw new IdFormatException(
                    "%s must be %d digits after %s: %d".formatted(what, digits, text.substring(0, from), given));
        }
        int split = from + upperDigits(digits);
        return reader.of(
                Alphabet.HEX.read(what, text, from, split), Alphabet.HEX.read(what, text, split, text.length()));
    }

    /** Reads digits of one alphabet, without a prefix. The bounds are constants to callers' compilers, who unroll the reading. */
    static <T extends Id> T parse(Alphabet alphabet, String what, String text, int digits, IdReader<T> reader) {
        Bounds.length(what, text, digits);
        int split = upperDigits(digits);
        return reader.of(alphabet.read(what, text, 0, split), alphabet.read(what, text, split, digits));
    }

    /** How many digits come before those of the lower 64 bits. */
    private static int upperDigits(int digits) {
        return Math.max(0, digits - LONG_DIGITS);
    }

    /** The length of the prefix; 0 where there is none. */
    static int prefix(String text) {
        boolean prefixed = text.startsWith("0x") || text.startsWith("0X") || text.startsWith("\\x");
        return prefixed ? PREFIX : 0;
    }
}
