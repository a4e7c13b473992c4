package org.idallocator.core.id;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.util.UUID;

/** Sixteen ASCII characters as the sixteen bytes of a UUID. */
final class AsciiUuid {
    private static final int LENGTH = 36;
    private static final char DASH = '-';
    /** The letter b stands for a byte, which is two digits. */
    private static final String LAYOUT = "bbbb-bb-bb-bb-bbbbbb";

    private AsciiUuid() {}

    static UUID of(String characters) {
        ByteBuffer bytes = ByteBuffer.wrap(characters.getBytes(US_ASCII));
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    /** Reads the characters, each of {@code alphabet}, from a UUID in either case; errors count positions in its text. */
    static String parse(String what, String text, Alphabet alphabet) {
        Require.length(what, text, LENGTH);
        StringBuilder characters = new StringBuilder();
        int position = 0;
        for (int i = 0; i < LAYOUT.length(); i++) {
            if (LAYOUT.charAt(i) == DASH) {
                Require.symbol(what, text, position, DASH);
                position++;
            } else {
                characters.append(character(what, text, position, alphabet));
                position += 2;
            }
        }
        return characters.toString();
    }

    private static char character(String what, String text, int position, Alphabet alphabet) {
        char character = (char) Alphabet.HEX.read(what, text, position, position + 2);
        if (!alphabet.contains(character)) {
            throw new IdFormatException(
                    "%s must hold bytes of %s: %s at position %d"
                            .formatted(what, alphabet, text.substring(position, position + 2), position),
                    position);
        }
        return character;
    }
}
