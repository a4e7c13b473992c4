package org.idallocator.core.id;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * Hex of a fixed number of digits. Digits of either case are read, also after {@code 0x}, as programs write numbers, or
 * {@code \x}, as PostgreSQL writes bytes.
 */
final class Hex {
    private static final int DIGIT_BITS = 4;
    private static final int LONG_DIGITS = Long.SIZE / DIGIT_BITS;
    private static final int PREFIX = 2;

    private static final VarHandle EIGHT_SYMBOLS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long DIGITS = '0' * EACH_BYTE;
    private static final long UP_TO_LETTERS = (16 - 10) * EACH_BYTE; // what makes a carry of a digit that is a letter
    /** How far upper-case letters are from the symbols that would follow 9. */
    static final int UPPER = 'A' - '0' - 10;
    /** The same for lower-case letters. */
    static final int LOWER = 'a' - '0' - 10;

    private Hex() {}

    /** Writes 16 digits, whose letters are {@link #UPPER} or {@link #LOWER}. */
    static void write(long value, int letters, byte[] buffer, int offset) {
        EIGHT_SYMBOLS.set(buffer, offset, eight(value >>> Integer.SIZE, letters));
        EIGHT_SYMBOLS.set(buffer, offset + Long.BYTES, eight(value & 0xffff_ffffL, letters));
    }

    /**
     * The symbols of the eight digits of 32 bits, all together: each digit goes to a byte of its own, and then letters
     * are told apart.
     */
    private static long eight(long bits, int letters) {
        long words = (bits << 16 | bits) & 0x0000_ffff_0000_ffffL;
        long bytes = (words << 8 | words) & 0x00ff_00ff_00ff_00ffL;
        long digits = (bytes << DIGIT_BITS | bytes) & 0x0f0f_0f0f_0f0f_0f0fL;
        long isLetter = ((digits + UP_TO_LETTERS) >>> DIGIT_BITS) & EACH_BYTE;
        return digits + DIGITS + isLetter * letters;
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

    /**
     * Reads digits of one alphabet, without a prefix. The bounds are constants to callers' compilers, who unroll the
     * reading.
     */
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
