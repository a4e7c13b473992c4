package org.idallocator.core.id;

import java.util.function.Function;

/**
 * How one type of ID is read and written. Immutable, thread-safe.
 *
 * @param bytes length in bytes
 * @param reader the ID of some bits
 * @param text the canonical text
 * @param hex the hex digits of the ID's bytes
 */
public record IdType<T extends Id>(int bytes, IdReader<T> reader, Text<T> text, Hex<T> hex) {

    /**
     * The canonical text.
     *
     * @param length in ASCII characters
     * @param pattern the text as a regular expression
     * @param parse reads the text strictly; throws {@link IdFormatException}
     * @param writer writes the text of some bits
     */
    public record Text<T extends Id>(int length, String pattern, Function<String, T> parse, IdTextWriter writer) {}

    /**
     * The hex digits of the ID's bytes.
     *
     * @param write gives the digits
     * @param parse reads them, and what the ID's own {@code parseHex} says besides; throws {@link IdFormatException}
     */
    public record Hex<T extends Id>(Function<T, String> write, Function<String, T> parse) {}

    /** Length of the canonical text in ASCII characters. */
    public int textLength() {
        return text.length();
    }

    /** The canonical text as a regular expression. */
    public String textPattern() {
        return text.pattern();
    }

    /** Reads strict canonical text; throws {@link IdFormatException}. */
    public Function<String, T> parse() {
        return text.parse();
    }

    /** Writes the canonical text of some bits. */
    public IdTextWriter textWriter() {
        return text.writer();
    }

    /** Reads what {@link #toHex} writes, also after {@code 0x} or {@code \x}; throws {@link IdFormatException}. */
    public Function<String, T> parseHex() {
        return hex.parse();
    }

    /** The hex digits of the ID's bytes. */
    public Function<T, String> toHex() {
        return hex.write();
    }
}
