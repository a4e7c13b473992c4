package org.idallocator.core.id;

import java.util.function.Function;

/**
 * How one type of ID is read and written. Immutable, thread-safe.
 *
 * @param bytes length in bytes
 * @param textLength length of the canonical text in ASCII characters
 * @param textPattern the canonical text as a regular expression
 * @param parse reads strict canonical text; throws {@link IdFormatException}
 * @param parseHex reads what {@code toHex} writes, as strictly; throws {@link IdFormatException}
 * @param toHex the hex digits of the ID's bytes
 * @param reader the ID of some bits
 * @param textWriter writes the canonical text of some bits
 */
public record IdType<T extends Id>(
        int bytes,
        int textLength,
        String textPattern,
        Function<String, T> parse,
        Function<String, T> parseHex,
        Function<T, String> toHex,
        IdReader<T> reader,
        IdTextWriter textWriter) {}
