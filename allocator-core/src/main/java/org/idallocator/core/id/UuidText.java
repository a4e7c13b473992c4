package org.idallocator.core.id;

/** The text of a UUID as 128 bits: 32 hex digits of either case, in groups of 8, 4, 4, 4 and 12 with dashes between them. */
final class UuidText {
    private static final int LENGTH = 36;
    private static final char DASH = '-';

    private UuidText() {}

    /** Reads the bits; throws {@link IdFormatException} where the text is no UUID, or the scheme excludes the bits. */
    static <T extends Id> T parse(String what, String text, IdReader<T> reader) {
        Require.length(what, text, LENGTH);
        long high = group(what, text, 0, 8) << 32 | group(what, text, 9, 13) << 16 | group(what, text, 14, 18);
        long low = group(what, text, 19, 23) << 48 | group(what, text, 24, LENGTH);
        return reader.of(high, low);
    }

    /** The digits from {@code from}, inclusive, to {@code to}, exclusive; a dash comes before each group but the first. */
    private static long group(String what, String text, int from, int to) {
        if (from > 0) {
            Require.symbol(what, text, from - 1, DASH);
        }
        return Alphabet.HEX.read(what, text, from, to);
    }
}
