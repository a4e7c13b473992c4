package org.idallocator.core.id;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The digits of a positional text form, all of them ASCII. Nothing else is accepted: no look-alikes, and no other case than the
 * alphabet names.
 *
 * <p>Design note: this is our own because IDs are written into the caller's buffer without garbage, two digits at a time, and
 * read without garbage. Codecs that work on arrays of any length take many times as long; the tests use that of commons-codec
 * as the oracle.
 */
final class Alphabet {
    static final Alphabet DECIMAL = new Alphabet("[0-9]", "0123456789");
    static final Alphabet LOWER_HEX = new Alphabet("[0-9a-f]", "0123456789abcdef");
    /** Reads digits of either case, and writes lower-case ones. */
    static final Alphabet HEX = new Alphabet("[0-9a-fA-F]", "0123456789abcdef").reading("ABCDEF", 10);

    static final Alphabet UPPER_HEX = new Alphabet("[0-9A-F]", "0123456789ABCDEF");
    static final Alphabet SNO = new Alphabet("[2-9a-x]", "23456789abcdefghijklmnopqrstuvwx");
    static final Alphabet BASE58 =
            new Alphabet("[1-9A-HJ-NP-Za-km-z]", "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
    static final Alphabet BASE64_URL =
            new Alphabet("[A-Za-z0-9_-]", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

    private static final int ASCII = 128;
    private static final byte NONE = -1;
    private static final VarHandle PAIR = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

    private final String pattern;
    private final int radix;
    /** Of every two digits, the symbols as two bytes. */
    private final short[] pairs;

    private final byte[] digits = new byte[ASCII];

    private Alphabet(String pattern, String symbols) {
        this.pattern = pattern;
        this.radix = symbols.length();
        byte[] bytes = symbols.getBytes(US_ASCII);
        Arrays.fill(digits, NONE);
        pairs = new short[radix * radix];
        for (int digit = 0; digit < radix; digit++) {
            digits[bytes[digit]] = (byte) digit;
            for (int next = 0; next < radix; next++) {
                pairs[digit * radix + next] = (short) (bytes[digit] << Byte.SIZE | bytes[next]);
            }
        }
    }

    /** Has these symbols read as well, as the digits from {@code first} on. */
    private Alphabet reading(String others, int first) {
        for (int i = 0; i < others.length(); i++) {
            digits[others.charAt(i)] = (byte) (first + i);
        }
        return this;
    }

    boolean contains(char symbol) {
        return symbol < ASCII && digits[symbol] != NONE;
    }

    /** Reads one digit; {@code what} names the form in the error. */
    int digit(String what, String text, int position) {
        char symbol = text.charAt(position);
        if (!contains(symbol)) {
            throw new IdFormatException(
                    "%s must be of %s%s: %s at position %d"
                            .formatted(what, this, inWhichCase(symbol), quote(text, position), position),
                    position);
        }
        return digits[symbol];
    }

    /** Says so where the symbol would be one in the other case, and all letters are of one case. */
    private String inWhichCase(char symbol) {
        char upper = Character.toUpperCase(symbol);
        char lower = Character.toLowerCase(symbol);
        if (contains('A') == contains('a') || symbol >= ASCII) {
            return "";
        } else if (symbol == upper) {
            return contains(lower) ? ", in lower case" : "";
        }
        return contains(upper) ? ", in upper case" : "";
    }

    /** Reads the digits from {@code from}, inclusive, to {@code to}, exclusive, as a number modulo 2^64. */
    long read(String what, String text, int from, int to) {
        long value = 0;
        int worst = 0;
        for (int i = from; i < to; i++) {
            int digit = digitOrNone(text.charAt(i));
            worst |= digit;
            value = value * radix + digit;
        }
        return worst >= 0 ? value : failed(what, text, from, to);
    }

    /** Reads as {@link #read}, in an alphabet of 2<sup>{@code bits}</sup>. */
    long read(String what, int bits, String text, int from, int to) {
        long value = 0;
        int worst = 0;
        for (int i = from; i < to; i++) {
            int digit = digitOrNone(text.charAt(i));
            worst |= digit;
            value = value << bits | digit;
        }
        return worst >= 0 ? value : failed(what, text, from, to);
    }

    private int digitOrNone(char symbol) {
        return symbol < ASCII ? digits[symbol] : NONE;
    }

    /** Throws for the first symbol that is no digit. */
    private long failed(String what, String text, int from, int to) {
        for (int i = from; i < to; i++) {
            digit(what, text, i);
        }
        throw new AssertionError("all are digits: " + text);
    }

    /** Writes the lowest {@code length} digits, an even number, of an alphabet of 2<sup>{@code bits}</sup>. */
    void write(long value, int bits, byte[] buffer, int offset, int length) {
        int mask = (1 << (2 * bits)) - 1;
        long rest = value;
        for (int i = offset + length - 2; i >= offset; i -= 2) {
            writePair((int) rest & mask, buffer, i);
            rest >>>= 2 * bits;
        }
    }

    /** Writes a number of one digit. */
    void writeDigit(int number, byte[] buffer, int offset) {
        buffer[offset] = (byte) pairs[number]; // the second symbol of 0 and this digit
    }

    /** Writes a number of two digits. */
    void writePair(int number, byte[] buffer, int offset) {
        PAIR.set(buffer, offset, pairs[number]);
    }

    @Override
    public String toString() {
        return pattern;
    }

    /** The character in quotes if it is visible, else its code point. */
    static String quote(String text, int position) {
        int codePoint = text.codePointAt(position);
        boolean visible = codePoint >= ' ' && codePoint < ASCII - 1;
        return visible ? "'%c'".formatted(codePoint) : "U+%04X".formatted(codePoint);
    }
}
