package org.idallocator.core.id;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The digits of a positional text form, all of them ASCII. Nothing else is accepted: no look-alikes, and no other case
 * than the alphabet names.
 *
 * <p>Design note: this is our own because IDs are written into the caller's buffer without garbage, eight digits at a
 * time, and read without garbage. Codecs that work on arrays of any length take many times as long; the tests use that
 * of commons-codec as the oracle.
 *
 * <p>This is a record because compilers take what is in the fields of a constant record for constant, and so do without
 * most checks of bounds. Nobody changes the arrays.
 *
 * @param pattern which symbols there are, as errors name them
 * @param radix how many digits there are
 * @param pairs of every two digits, the symbols as two bytes
 * @param worths what each of the first 256 characters adds to a number as its last digit, then as its last but one, and
 *     so on for {@value #GROUP} places; {@link #NONE} where the character is no digit
 */
@SuppressWarnings("ArrayRecordComponent")
record Alphabet(String pattern, int radix, char[] pairs, int[] worths) {
    static final Alphabet DECIMAL = of("[0-9]", "0123456789");
    static final Alphabet LOWER_HEX = of("[0-9a-f]", "0123456789abcdef");
    /** Reads digits of either case, and writes lower-case ones. */
    static final Alphabet HEX = of("[0-9a-fA-F]", "0123456789abcdef").reading("ABCDEF", 10);

    static final Alphabet UPPER_HEX = of("[0-9A-F]", "0123456789ABCDEF");
    static final Alphabet SNO = of("[2-9a-x]", "23456789abcdefghijklmnopqrstuvwx");
    static final Alphabet BASE58 =
            of("[1-9A-HJ-NP-Za-km-z]", "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
    static final Alphabet BASE64_URL =
            of("[A-Za-z0-9_-]", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

    private static final int ASCII = 128;
    private static final int LATIN_1 = 256;
    /** So far below zero that it stays below whatever digits of a group are added, and four of it fit an int. */
    private static final int NONE = -(1 << 29);

    private static final int GROUP = 4; // digits that are read apart from the others
    private static final VarHandle PAIR = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle FOUR_PAIRS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static Alphabet of(String pattern, String symbols) {
        int radix = symbols.length();
        byte[] bytes = symbols.getBytes(US_ASCII);
        int[] worths = new int[GROUP * LATIN_1];
        Arrays.fill(worths, NONE);
        char[] pairs = new char[radix * radix];
        for (int digit = 0; digit < radix; digit++) {
            setWorths(worths, bytes[digit], digit, radix);
            for (int next = 0; next < radix; next++) {
                pairs[digit * radix + next] = (char) (bytes[digit] << Byte.SIZE | bytes[next]);
            }
        }
        return new Alphabet(pattern, radix, pairs, worths);
    }

    private static void setWorths(int[] worths, int symbol, int digit, int radix) {
        int worth = digit;
        for (int place = 0; place < GROUP; place++) {
            worths[place * LATIN_1 + symbol] = worth;
            worth *= radix;
        }
    }

    /** The same, but reads these symbols as well, as the digits from {@code first} on. */
    private Alphabet reading(String others, int first) {
        int[] more = worths.clone();
        for (int i = 0; i < others.length(); i++) {
            setWorths(more, others.charAt(i), first + i, radix);
        }
        return new Alphabet(pattern, radix, pairs, more);
    }

    /** Reads one digit; {@code what} names the form in the error. */
    int digit(String what, String text, int position) {
        int digit = worth(text.charAt(position), 0);
        if (digit == NONE) {
            throw new IdFormatException(
                    "%s must be of %s: %s at position %d".formatted(what, pattern, quote(text, position), position),
                    position);
        }
        return digit;
    }

    /**
     * Reads the digits from {@code from}, inclusive, to {@code to}, exclusive, as a number modulo 2^64. Four digits at
     * a time make a number of their own, so that a processor need not wait for those before.
     */
    long read(String what, String text, int from, int to) {
        long value = 0;
        int worst = 0;
        int at = from;
        for (; at <= to - GROUP; at += GROUP) {
            int group = worth(text.charAt(at), 3)
                    + worth(text.charAt(at + 1), 2)
                    + worth(text.charAt(at + 2), 1)
                    + worth(text.charAt(at + 3), 0);
            worst |= group;
            value = value * radix * radix * radix * radix + group;
        }
        for (; at < to; at++) {
            int digit = worth(text.charAt(at), 0);
            worst |= digit;
            value = value * radix + digit;
        }
        return worst >= 0 ? value : failed(what, text, from, to);
    }

    private int worth(char symbol, int place) {
        return symbol < LATIN_1 ? worths[place * LATIN_1 + symbol] : NONE;
    }

    /** Throws for the first symbol that is no digit. */
    private long failed(String what, String text, int from, int to) {
        for (int i = from; i < to; i++) {
            digit(what, text, i);
        }
        throw new AssertionError("all are digits: " + text);
    }

    /** Writes the lowest eight digits of an alphabet of 2<sup>{@code bits}</sup>. */
    void writeEight(long value, int bits, byte[] buffer, int offset) {
        int mask = (1 << (2 * bits)) - 1;
        long symbols = (long) pairs[(int) (value >>> (6 * bits)) & mask] << 48
                | (long) pairs[(int) (value >>> (4 * bits)) & mask] << 32
                | (long) pairs[(int) (value >>> (2 * bits)) & mask] << 16
                | pairs[(int) value & mask];
        FOUR_PAIRS.set(buffer, offset, symbols);
    }

    /** Writes a number of one digit. */
    void writeDigit(int number, byte[] buffer, int offset) {
        buffer[offset] = (byte) pairs[number]; // the second symbol of 0 and this digit
    }

    /** Writes a number of two digits. */
    void writePair(int number, byte[] buffer, int offset) {
        PAIR.set(buffer, offset, (short) pairs[number]);
    }

    /** The character in quotes if it is visible, else its code point. */
    static String quote(String text, int position) {
        int codePoint = text.codePointAt(position);
        boolean visible = codePoint >= ' ' && codePoint < ASCII - 1;
        return visible ? "'%c'".formatted(codePoint) : "U+%04X".formatted(codePoint);
    }
}
