package org.idallocator.core.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;

/**
 * An ID as the Graft Identifier of orbitinghail/graft (b07d931) is specified: 16 bytes, sorted by type, then by time.
 *
 * <pre>
 *  0      7 8                           55 56          63 64                            127
 * +--------+------------------------------+--------------+--------------------------------+
 * | prefix |         timestampMs          | secondPrefix |             random             |
 * +--------+------------------------------+--------------+--------------------------------+
 *     8                  48                      8                       64
 * </pre>
 *
 * {@code prefix} is the {@link GidType}'s; {@code timestampMs} counts milliseconds since 1970-01-01T00:00:00Z, rounded
 * down. Immutable.
 *
 * <p>The canonical text is base58 (Bitcoin's alphabet) of bytes 0 to 6 in 10 characters, a dash, and base58 of bytes 7
 * to 15 in 13. The {@code hex} form is 32 lower-case digits. Parsers accept nothing else.
 *
 * <p>The second prefix repeats the first. The specification wants it so that the random part does not start with a zero
 * byte: base58 writes such a byte as a mere {@code 1}, and nine bytes need all 13 digits only from 4f on. So IDs are
 * read with any second prefix that has its top bit set, as newer Graft writes them, and refused where it is clear: no
 * Graft ever wrote that, and its text could be too short to be told from others.
 */
public final class Gid extends IdBits<Gid> {
    public static final int BYTES = 16;
    public static final int TEXT_LENGTH = 24;

    public static final int PREFIX_BITS = 8;
    public static final int TIMESTAMP_BITS = 48;
    public static final int RANDOM_BITS = 64;
    public static final long MAX_TIMESTAMP_MS = (1L << TIMESTAMP_BITS) - 1;

    private static final String NAME = "gid";
    private static final int MAX_PREFIX = (1 << PREFIX_BITS) - 1;
    private static final int TIMESTAMP_SHIFT = PREFIX_BITS;
    private static final int PREFIX_SHIFT = TIMESTAMP_SHIFT + TIMESTAMP_BITS;
    private static final int SECOND_PREFIX_TOP_BIT = 0x80;
    private static final int HEX_LENGTH = 2 * BYTES;
    private static final char DASH = '-';
    private static final int DASH_AT = 10;
    private static final int RANDOM_AT = DASH_AT + 1;

    private Gid(long high, long low) {
        super(BYTES, high, low);
    }

    /** The ID of a timestamp from 0 to {@link #MAX_TIMESTAMP_MS}, inclusive, with the type's prefix in both places. */
    public static Gid of(GidType type, long timestampMs, long random) {
        return new Gid(highBits(type, timestampMs), random);
    }

    /** The upper bits of {@link #of}, for an {@link IdSink}; checks the same. The lower are {@code random}. */
    public static long highBits(GidType type, long timestampMs) {
        long prefix = type.prefix();
        return prefix << PREFIX_SHIFT
                | Require.inRange("timestampMs", timestampMs, MAX_TIMESTAMP_MS) << TIMESTAMP_SHIFT
                | prefix;
    }

    /** The ID of these bits; throws {@link IdFormatException} if the prefix is no type's or the second one too low. */
    public static Gid ofBits(long high, long low) {
        Gid gid = new Gid(high, low);
        if (GidType.ofPrefix(gid.prefix()).isEmpty()) {
            throw new IdFormatException("gid prefix must be 80, a0 or c0: %02x".formatted(gid.prefix()));
        }
        if ((gid.secondPrefix() & SECOND_PREFIX_TOP_BIT) == 0) {
            throw new IdFormatException("gid second prefix must be 80..ff: %02x".formatted(gid.secondPrefix()));
        }
        return gid;
    }

    /** Reads the canonical text; throws {@link IdFormatException} otherwise. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Gid parse(String text) {
        Require.length(NAME, text, TEXT_LENGTH);
        long time = Base58.parse56(NAME, text, 0, DASH_AT);
        Require.symbol(NAME, text, DASH_AT, DASH);
        return Base58.parse72(
                NAME, text, RANDOM_AT, TEXT_LENGTH, (top, random) -> ofBits(time << PREFIX_BITS | top, random));
    }

    /** Reads the canonical text of an ID of one type; throws {@link IdFormatException} otherwise. */
    public static Gid parse(String text, GidType expected) {
        Gid gid = parse(text);
        if (gid.type() != expected) {
            throw new IdFormatException(
                    "gid must be of type %s: %s is of type %s".formatted(expected, text, gid.type()));
        }
        return gid;
    }

    /** Reads 32 lower-case hex digits; throws {@link IdFormatException} otherwise. */
    public static Gid parseHex(String text) {
        return Hex.parse("gid hex", text, HEX_LENGTH, Gid::ofBits);
    }

    /** Reads 16 bytes; throws {@link IdFormatException} otherwise. */
    public static Gid fromBytes(byte[] bytes) {
        return Bits.fromBytes(NAME, bytes, BYTES, Gid::ofBits);
    }

    /** An {@link IdTextWriter} of the canonical text. */
    public static void writeText(long high, long low, byte[] buffer, int offset) {
        Base58.write(high >>> PREFIX_BITS, buffer, offset, DASH_AT);
        buffer[offset + DASH_AT] = DASH;
        Base58.write72((int) high & MAX_PREFIX, low, buffer, offset + RANDOM_AT, TEXT_LENGTH - RANDOM_AT);
    }

    public GidType type() {
        return GidType.ofPrefix(prefix()).orElseThrow();
    }

    /** The first byte, 0..255. */
    public int prefix() {
        return (int) (high() >>> PREFIX_SHIFT);
    }

    public long timestampMs() {
        return high() >>> TIMESTAMP_SHIFT & MAX_TIMESTAMP_MS;
    }

    /** Byte 7, 128..255; the same as {@link #prefix} in IDs that follow the specification. */
    public int secondPrefix() {
        return (int) high() & MAX_PREFIX;
    }

    /** All 64 bits, so it may be negative. */
    public long random() {
        return low();
    }

    @Override
    public Instant time() {
        return Instant.ofEpochMilli(timestampMs());
    }

    public String toHex() {
        return Hex.toText(high(), low(), HEX_LENGTH);
    }

    /** The canonical text. */
    @Override
    @JsonValue
    public String toString() {
        return text(TEXT_LENGTH, Gid::writeText);
    }
}
