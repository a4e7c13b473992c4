package org.idallocator.core.id;

/** The checks and the text of {@link Gid}, whose page draws the bits. */
final class GidBits {
    private static final String NAME = "gid";
    private static final int SECOND_PREFIX_TOP_BIT = 0x80;
    private static final char DASH = '-';
    private static final int DASH_AT = 10;
    static final int RANDOM_AT = DASH_AT + 1;

    private GidBits() {}

    /** The type of the bits; throws {@link IdFormatException} where none has the prefix, or the second prefix is too low. */
    static GidType typeOf(long high) {
        int prefix = (int) (high >>> (Long.SIZE - Gid.PREFIX_BITS));
        GidType type = GidType.ofPrefix(prefix)
                .orElseThrow(() -> new IdFormatException("gid prefix must be 80, a0 or c0: %02x".formatted(prefix)));
        if ((high & SECOND_PREFIX_TOP_BIT) == 0) {
            throw new IdFormatException(
                    "gid second prefix must be 80..ff: %02x".formatted(high & Bits.max(Gid.PREFIX_BITS)));
        }
        return type;
    }

    /** Refuses all but the IDs of one type. */
    static void require(GidType expected, long high, long low) {
        GidType type = typeOf(high);
        if (type != expected) {
            throw new IdFormatException(
                    "gid must be of type %s: %s is of type %s".formatted(expected, Gid.ofBits(high, low), type));
        }
    }

    static <T extends Gid> T parse(String text, IdReader<T> reader) {
        Bounds.length(NAME, text, Gid.TEXT_LENGTH);
        long time = Base58.parse56(NAME, text, 0, DASH_AT);
        if (text.charAt(DASH_AT) != DASH) {
            throw new IdFormatException(
                    "%s must have '%c' at position %d: %s"
                            .formatted(NAME, DASH, DASH_AT, Alphabet.quote(text, DASH_AT)),
                    DASH_AT);
        }
        return Base58.parse72(NAME, text, RANDOM_AT, time << Gid.PREFIX_BITS, reader);
    }

    static void writeText(long high, long low, byte[] buffer, int offset) {
        Base58.write56(high >>> Gid.PREFIX_BITS, buffer, offset);
        buffer[offset + DASH_AT] = DASH;
        Base58.write72((int) (high & Bits.max(Gid.PREFIX_BITS)), low, buffer, offset + RANDOM_AT);
    }
}
