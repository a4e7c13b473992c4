package org.idallocator.core.id;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Texts of IDs that are no digits of fixed length, and what all texts share. */
final class Texts {

    /** Where a text is written before a string copies it: so a text leaves no array to the collector. */
    private static final ThreadLocal<byte[]> BUFFER = ThreadLocal.withInitial(() -> new byte[Muid.TEXT_LENGTH]);

    private Texts() {}

    static String text(Id id, int length, IdTextWriter writer) {
        byte[] buffer = BUFFER.get();
        writer.write(id.high(), id.low(), buffer, 0);
        return new String(buffer, 0, length, ISO_8859_1);
    }

    static <R> Optional<R> tryParse(Function<String, R> parse, String text) {
        try {
            return Optional.of(parse.apply(text));
        } catch (IdFormatException e) {
            return Optional.empty();
        }
    }

    /**
     * Reads 64 bits as a number in digits as they are written: unsigned, or signed as a column of 64 bits gives them
     * back.
     */
    static long decimal(String what, String text, long max) {
        if (text.isEmpty() || text.length() > 20) {
            throw new IdFormatException("%s must be 1..20 characters: %d".formatted(what, text.length()));
        }
        boolean negative = text.length() > 1 && text.charAt(0) == '-';
        Alphabet.DECIMAL.read(what, text, negative ? 1 : 0, text.length()); // refuses what is no digit
        long value = (negative
                        ? same(text, Long::parseLong, number -> Long.toString(number))
                        : same(text, Long::parseUnsignedLong, Long::toUnsignedString))
                .orElseThrow(() -> new IdFormatException(
                        "%s must be of 64 bits, without leading zeros: %s".formatted(what, text)));
        if (Long.compareUnsigned(value, max) > 0) {
            throw new IdFormatException("%s must be 0..%s: %s".formatted(what, Long.toUnsignedString(max), text));
        }
        return value;
    }

    /** Reads the text of a UUID, in either case. */
    static UUID uuid(String what, String text) {
        Bounds.length(what, text, 36);
        return same(text.toLowerCase(Locale.ROOT), UUID::fromString, UUID::toString)
                .orElseThrow(() -> new IdFormatException("%s must be of hex digits in groups of 8, 4, 4, 4 and 12: %s"
                        .formatted(what, text.matches("[ -~]*") ? text : "other characters")));
    }

    /** What the JDK makes of a text, where it would write the same text. */
    private static <R> Optional<R> same(String text, Function<String, R> read, Function<R, String> write) {
        try {
            return Optional.of(read.apply(text))
                    .filter(value -> write.apply(value).equals(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // an answer, not a failure
        }
    }
}
