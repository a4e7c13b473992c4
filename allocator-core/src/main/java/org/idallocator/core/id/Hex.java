package org.idallocator.core.id;

import java.util.HexFormat;

/** Lower-case hex of a fixed number of digits, strict about case when read. */
final class Hex {
    private static final int LONG_DIGITS = 16;

    private Hex() {}

    static String toText(long high, long low, int digits) {
        HexFormat hex = HexFormat.of();
        return (hex.toHexDigits(high) + hex.toHexDigits(low)).substring(2 * LONG_DIGITS - digits);
    }

    static <T extends Id> T parse(String what, String text, int digits, IdReader<T> reader) {
        return parse(Alphabet.LOWER_HEX, what, text, digits, reader);
    }

    static <T extends Id> T parse(Alphabet alphabet, String what, String text, int digits, IdReader<T> reader) {
        Require.length(what, text, digits);
        int split = Math.max(0, digits - LONG_DIGITS);
        return reader.of(alphabet.read(what, text, 0, split), alphabet.read(what, text, split, digits));
    }
}
