package org.idallocator.core.id;

import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.UUID;

/** What the types of {@link Gid} have in common; the page of {@link Gid} draws the bits. */
abstract class GidBits extends IdBits<Gid> {
    private static final String NAME = "gid";
    private static final int MAX_PREFIX = (1 << Gid.PREFIX_BITS) - 1;
    private static final int TIMESTAMP_SHIFT = Gid.PREFIX_BITS;
    private static final int PREFIX_SHIFT = TIMESTAMP_SHIFT + Gid.TIMESTAMP_BITS;
    private static final int SECOND_PREFIX_TOP_BIT = 0x80;
    private static final int HEX_LENGTH = 2 * Gid.BYTES;
    private static final char DASH = '-';
    private static final int DASH_AT = 10;
    private static final int RANDOM_AT = DASH_AT + 1;

    GidBits(long high, long low) {
        super(IdKind.GID, high, low);
    }

    static long highBits(long prefix, long timestampMs) {
        return prefix << PREFIX_SHIFT
                | Require.inRange("timestampMs", timestampMs, Gid.MAX_TIMESTAMP_MS) << TIMESTAMP_SHIFT
                | prefix;
    }

    static Gid ofBits(long high, long low) {
        int prefix = (int) (high >>> PREFIX_SHIFT);
        GidType type = GidType.ofPrefix(prefix)
                .orElseThrow(() -> new IdFormatException("gid prefix must be 80, a0 or c0: %02x".formatted(prefix)));
        int secondPrefix = (int) high & MAX_PREFIX;
        if ((secondPrefix & SECOND_PREFIX_TOP_BIT) == 0) {
            throw new IdFormatException("gid second prefix must be 80..ff: %02x".formatted(secondPrefix));
        }
        return type.make(high, low);
    }

    /** As {@link Gid#ofBits}, for one type only; throws {@link IdFormatException} for IDs of the others. */
    static Gid ofBits(GidType expected, long high, long low) {
        Gid gid = ofBits(high, low);
        if (gid.type() != expected) {
            throw new IdFormatException(
                    "gid must be of type %s: %s is of type %s".formatted(expected, gid, gid.type()));
        }
        return gid;
    }

    static <T extends Gid> T parse(String text, IdReader<T> reader) {
        Require.length(NAME, text, Gid.TEXT_LENGTH);
        long time = Base58.parse56(NAME, text, 0, DASH_AT);
        Require.symbol(NAME, text, DASH_AT, DASH);
        return Base58.parse72(NAME, text, RANDOM_AT, time << Gid.PREFIX_BITS, reader);
    }

    static <T extends Gid> T parseHex(String text, IdReader<T> reader) {
        return Hex.parse("gid hex", text, HEX_LENGTH, reader);
    }

    static <T extends Gid> T fromBytes(byte[] bytes, IdReader<T> reader) {
        return Bits.fromBytes(NAME, bytes, Gid.BYTES, reader);
    }

    static void writeText(long high, long low, byte[] buffer, int offset) {
        Base58.write56(high >>> Gid.PREFIX_BITS, buffer, offset);
        buffer[offset + DASH_AT] = DASH;
        Base58.write72((int) high & MAX_PREFIX, low, buffer, offset + RANDOM_AT);
    }

    public final int prefix() {
        return (int) (high() >>> PREFIX_SHIFT);
    }

    public final long timestampMs() {
        return high() >>> TIMESTAMP_SHIFT & Gid.MAX_TIMESTAMP_MS;
    }

    public final int secondPrefix() {
        return (int) high() & MAX_PREFIX;
    }

    public final long random() {
        return low();
    }

    @Override
    public final Instant time() {
        return Instant.ofEpochMilli(timestampMs());
    }

    public final String toHex() {
        return Hex.toText(high(), low(), HEX_LENGTH);
    }

    public final UUID toUuid() {
        return new UUID(high(), low());
    }

    public final String shortForm() {
        return toString().substring(RANDOM_AT);
    }

    @Override
    @JsonValue
    public final String toString() {
        return text(Gid.TEXT_LENGTH, GidBits::writeText);
    }
}
