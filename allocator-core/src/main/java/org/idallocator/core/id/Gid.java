package org.idallocator.core.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.idallocator.core.id.IdType.Field;
import org.idallocator.core.id.IdType.Form;

/**
 * A Graft Identifier, as orbitinghail/graft (b07d931) specifies it: 16 bytes, sorted by type, then by time. Each is a
 * {@link VolumeId}, a {@link LogId} or a {@link SegmentId}; a program that knows the type uses its class.
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
 * to 15 in 13. Its case is significant. Other forms: {@code hex}, 32 lower-case digits; {@code uuid}, the 16 bytes as a
 * lower-case UUID. Parsers read {@code hex} and {@code uuid} in either case.
 *
 * <p>The second prefix repeats the first, so that bytes 7 to 15 do not start with a zero byte: base58 writes a leading
 * zero byte as a mere {@code 1}, and nine bytes need all 13 digits only from 4f on. Newer Graft writes other second
 * prefixes, so parsers accept 80 to ff. They refuse a second prefix below 80: no Graft ever wrote one, and the text of
 * the ID could be too short to be told from others.
 *
 * <h2>Capacity</h2>
 *
 * There are no slots: 64 random bits keep the IDs of one type and millisecond apart. Among n of them, the chance that
 * two are equal is n^2 in 2^65: 3 in 100 million for a million IDs. The last time is +10889-08-02T05:31:50.655Z.
 *
 * <h2>Ordering</h2>
 *
 * Bytes, the text and {@code hex} sort as IDs do: by type, then time, and at random within a millisecond. The volumes
 * of the time from {@code from}, inclusive, to {@code to}, exclusive, lie from {@link VolumeId#first
 * VolumeId.first(from)}, inclusive, to {@code VolumeId.first(to)}, exclusive; so do logs and segments, each by the
 * class of the type. The text is case-sensitive, so a column of it needs a binary collation. {@link UUID#compareTo}
 * sorts otherwise: see {@link #toUuid}.
 *
 * <h2>What it reveals</h2>
 *
 * The type, and the time to the millisecond. Nothing says where the ID was made, and other IDs cannot be guessed.
 *
 * <h2>When to choose it</h2>
 *
 * For Graft's volumes, logs and segments, where IDs must be made without leases, and where others must not be able to
 * guess IDs. A gid is unique by chance; IDs of the other schemes are unique by construction.
 */
public sealed interface Gid extends Ordered<Gid> permits VolumeId, LogId, SegmentId {
    int BYTES = 16;
    int TEXT_LENGTH = 24;

    int PREFIX_BITS = 8;
    int TIMESTAMP_BITS = 48;
    int RANDOM_BITS = 64;
    long MAX_TIMESTAMP_MS = (1L << TIMESTAMP_BITS) - 1;

    /** How these IDs are read and written. */
    IdType<Gid> TYPE = new IdType<>(
            "gid",
            BYTES,
            Gid::ofBits,
            Gid::writeText,
            "[1-9A-HJ-NP-Za-km-z]{10}-[1-9A-HJ-NP-Za-km-z]{13}",
            List.of(
                    new Field<>("prefix", 0, 7, Gid::prefix),
                    new Field<>("timestamp_ms", 8, 55, Gid::timestampMs),
                    new Field<>("second_prefix", 56, 63, Gid::secondPrefix),
                    new Field<>("random", 64, 127, Gid::random)),
            List.of(
                    new Form<>(Form.CANONICAL, TEXT_LENGTH, Id::toString, Gid::parse),
                    new Form<>(Form.HEX, 2 * BYTES, Gid::toHex, Gid::parseHex),
                    new Form<>("uuid", 36, id -> id.toUuid().toString(), Gid::parseUuid)));

    /**
     * The ID of a time, 0 to {@link #MAX_TIMESTAMP_MS} ms, inclusive; throws {@link IllegalArgumentException} for
     * others.
     */
    static Gid of(GidType type, long timestampMs, long random) {
        return ofBits(highBits(type, timestampMs), random);
    }

    /** The upper bits of {@link #of}, for an {@link IdSink}; checks the same. The lower bits are {@code random}. */
    static long highBits(GidType type, long timestampMs) {
        long prefix = type.prefix();
        return prefix << (TIMESTAMP_BITS + PREFIX_BITS)
                | Bounds.require("timestampMs", timestampMs, MAX_TIMESTAMP_MS) << PREFIX_BITS
                | prefix;
    }

    /**
     * The ID of these bits. Throws {@link IdFormatException} if no type has the prefix, or if the second prefix is too
     * low.
     */
    static Gid ofBits(long high, long low) {
        return switch (GidType.of(high)) {
            case VOLUME -> new VolumeId(high, low);
            case LOG -> new LogId(high, low);
            case SEGMENT -> new SegmentId(high, low);
        };
    }

    /** Reads the canonical text; throws {@link IdFormatException} otherwise. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Gid parse(String text) {
        int dash = Base58.NARROW_DIGITS;
        Bounds.length("gid", text, TEXT_LENGTH);
        long time = Base58.parse56("gid", text, 0, dash);
        if (text.charAt(dash) != '-') {
            throw new IdFormatException(
                    "gid must have '-' at position %d: %s".formatted(dash, Alphabet.quote(text, dash)), dash);
        }
        return Base58.parse72("gid", text, dash + 1, time << PREFIX_BITS, Gid::ofBits);
    }

    /** Reads the canonical text of an ID of one type; throws {@link IdFormatException} otherwise. */
    static Gid parse(String text, GidType expected) {
        Gid gid = parse(text);
        expected.require(gid.high(), gid.low());
        return gid;
    }

    /** The same as {@link #parse(String)}, by the name that Jakarta REST, Spring and MicroProfile Config look for. */
    static Gid valueOf(String text) {
        return parse(text);
    }

    /** As {@link #parse(String)}, but empty where {@code parse} throws. */
    static Optional<Gid> tryParse(String text) {
        return Texts.tryParse(Gid::parse, text);
    }

    /**
     * Reads 32 hex digits of either case, also after {@code 0x}, {@code 0X} or PostgreSQL's {@code \x}; throws
     * {@link IdFormatException} otherwise.
     */
    static Gid parseHex(String text) {
        return Hex.parse("gid hex", text, 2 * BYTES, Gid::ofBits);
    }

    /**
     * Reads the text of a UUID in either case, as {@link #toUuid} gives it. Throws {@link IdFormatException} for other
     * texts, and for bits that {@link #ofBits} refuses.
     */
    static Gid parseUuid(String text) {
        return fromUuid(Texts.uuid("gid uuid", text));
    }

    /**
     * Reads 16 bytes; throws {@link IdFormatException} for other lengths, and for bits that {@link #ofBits} refuses.
     */
    static Gid fromBytes(byte[] bytes) {
        return Bits.fromBytes("gid", bytes, BYTES, Gid::ofBits);
    }

    /** The ID of a UUID's 16 bytes; throws {@link IdFormatException} for bits that {@link #ofBits} refuses. */
    static Gid fromUuid(UUID uuid) {
        return ofBits(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    /** An {@link IdTextWriter} of the canonical text. */
    static void writeText(long high, long low, byte[] buffer, int offset) {
        Base58.writeTen(high >>> PREFIX_BITS, buffer, offset);
        buffer[offset + Base58.NARROW_DIGITS] = '-';
        Base58.write72((int) (high & Bits.max(PREFIX_BITS)), low, buffer, offset + Base58.NARROW_DIGITS + 1);
    }

    GidType type();

    /** The first byte, 0..255. */
    default int prefix() {
        return type().prefix();
    }

    default long timestampMs() {
        return high() >>> PREFIX_BITS & MAX_TIMESTAMP_MS;
    }

    /** Byte 7, 128..255; the same as {@link #prefix} in IDs that follow the specification. */
    default int secondPrefix() {
        return (int) (high() & Bits.max(PREFIX_BITS));
    }

    /** All 64 random bits; the number may be negative. */
    default long random() {
        return low();
    }

    @Override
    default Instant time() {
        return Instant.ofEpochMilli(timestampMs());
    }

    @Override
    default byte[] toBytes() {
        return Bits.toBytes(this, BYTES);
    }

    /** 32 lower-case digits. */
    default String toHex() {
        return Hex.toText(high(), low(), 2 * BYTES);
    }

    /**
     * The 16 bytes as a UUID. Its version bits mean nothing. A database that compares bytes sorts a column of them as
     * IDs sort. {@link UUID#compareTo} sorts the IDs of a millisecond otherwise: it compares signed halves.
     */
    default UUID toUuid() {
        return new UUID(high(), low());
    }

    /** The canonical text. */
    @Override
    @JsonValue
    String toString();
}
