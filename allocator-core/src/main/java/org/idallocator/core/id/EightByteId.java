package org.idallocator.core.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.id.IdType.Field;
import org.idallocator.core.id.IdType.Form;

/**
 * An ID as LableOrg/java-uniqueid v1.9 specifies it: 8 bytes, spread over the whole byte range on purpose, so that byte
 * order is <em>not</em> time order.
 *
 * <pre>
 *  0                                         41 42    47 48    53 54    59 60  63
 * +--------------------------------------------+--------+--------+--------+------+
 * |          timestampMs, reversed             |sequence|  zero  |generator|cluster|
 * +--------------------------------------------+--------+--------+--------+------+
 *                      42                          6        6        6       4
 * </pre>
 *
 * {@code timestampMs} counts milliseconds since 1970-01-01T00:00:00Z, rounded down. Its 42 bits are written lowest bit
 * first. (The specification's text speaks of byte order. Its code reverses bits, and so does this class.) The six bits
 * after the sequence are reserved, and must be zero. Immutable.
 *
 * <p>The canonical text is 16 lower-case hex digits. Other forms: {@code base64url}, 11 characters without padding;
 * {@code decimal}, unsigned; {@code hex}, the same digits as the canonical text. {@link #parse} accepts nothing but the
 * canonical text; {@code hex} is read in either case, and {@code decimal} also as a signed number.
 *
 * <h2>Capacity</h2>
 *
 * 64 IDs in a millisecond for each of 64 generators in each of 16 clusters: 64,000 a second for one generator, and
 * 65,536,000 for all 1,024 generators. The last time is 2109-05-15T07:35:11.103Z.
 *
 * <h2>Ordering</h2>
 *
 * The text and unsigned numbers sort as bytes do. The signed numbers of databases do not. None of them sorts by time,
 * and no range of keys is a range of time. IDs of neighbouring times are spread over all keys, so that no part of a
 * store takes all the writes. Where queries ask for times, keep {@link #time} in an indexed column of its own, or put
 * the time before the ID in a compound key. {@link #BY_TIME} sorts the IDs at hand.
 *
 * <h2>What it reveals</h2>
 *
 * Everything: the time to the millisecond, the cluster, the generator, and the ID's number within its millisecond. The
 * ID looks random, but anyone can turn the bits around, and other IDs can be guessed.
 *
 * <h2>When to choose it</h2>
 *
 * For row keys of stores that split their keys into ranges, where keys sorted by time would all go to the last range,
 * or as a part of longer keys. For 8 bytes that sort by time, take {@link Uid60}.
 */
public record EightByteId(long high, long low) implements Ordered<EightByteId> {
    public static final int BYTES = 8;
    public static final int TEXT_LENGTH = 16;

    public static final int TIMESTAMP_BITS = 42;
    public static final int SEQUENCE_BITS = 6;
    public static final int RESERVED_BITS = 6;
    public static final int GENERATOR_BITS = 6;
    public static final int CLUSTER_BITS = 4;

    public static final long MAX_TIMESTAMP_MS = (1L << TIMESTAMP_BITS) - 1;
    public static final int MAX_SEQUENCE = (1 << SEQUENCE_BITS) - 1;
    public static final int MAX_GENERATOR = (1 << GENERATOR_BITS) - 1;
    public static final int MAX_CLUSTER = (1 << CLUSTER_BITS) - 1;

    /** By time, then sequence, generator and cluster. */
    public static final Comparator<EightByteId> BY_TIME =
            Comparator.comparingLong(EightByteId::timestampMs).thenComparing(Comparator.naturalOrder());

    private static final String NAME = "eightbyte";
    private static final String BASE64_URL = "eightbyte base64url";
    private static final int BASE64_URL_LENGTH = 11;
    private static final int GENERATOR_SHIFT = CLUSTER_BITS;
    private static final int RESERVED_SHIFT = GENERATOR_SHIFT + GENERATOR_BITS;
    private static final int SEQUENCE_SHIFT = RESERVED_SHIFT + RESERVED_BITS;
    private static final int TIMESTAMP_SHIFT = SEQUENCE_SHIFT + SEQUENCE_BITS;
    private static final long RESERVED_MASK = ((1L << RESERVED_BITS) - 1) << RESERVED_SHIFT;

    /** How these IDs are read and written. */
    public static final IdType<EightByteId> TYPE = new IdType<>(
            NAME,
            BYTES,
            EightByteId::new,
            EightByteId::writeText,
            "[0-9a-f]{16}",
            List.of(
                    new Field<>("timestamp_ms", 0, 41, EightByteId::timestampMs),
                    new Field<>("sequence", 42, 47, EightByteId::sequence),
                    new Field<>("generator", 54, 59, EightByteId::generator),
                    new Field<>("cluster", 60, 63, EightByteId::cluster)),
            List.of(
                    new Form<>(Form.CANONICAL, TEXT_LENGTH, Id::toString, EightByteId::parse),
                    new Form<>(Form.HEX, TEXT_LENGTH, EightByteId::toHex, EightByteId::parseHex),
                    new Form<>("base64url", BASE64_URL_LENGTH, EightByteId::toBase64Url, EightByteId::parseBase64Url),
                    new Form<>("decimal", 1, 20, EightByteId::toDecimal, EightByteId::parseDecimal)));

    /** The ID of these bits. Throws {@link IdFormatException} if a reserved bit, or any but the lowest 64, is set. */
    @JsonCreator(mode = JsonCreator.Mode.DISABLED)
    public EightByteId {
        Bounds.width(NAME, high, low, Long.SIZE);
        long reserved = low & RESERVED_MASK;
        if (reserved != 0) {
            throw new IdFormatException("%s must have reserved bits 48..53 clear: bit %d is set in %016x"
                    .formatted(NAME, Long.numberOfLeadingZeros(reserved), low));
        }
    }

    /**
     * The ID of these fields, each 0 to its {@code MAX_} constant, inclusive; throws {@link IllegalArgumentException}
     * else.
     */
    public static EightByteId of(long timestampMs, int sequence, int generator, int cluster) {
        return new EightByteId(0, bits(timestampMs, sequence, generator, cluster));
    }

    /** The lower bits of {@link #of}, for an {@link IdSink}; checks the same. */
    public static long bits(long timestampMs, int sequence, int generator, int cluster) {
        Bounds.require("timestampMs", timestampMs, MAX_TIMESTAMP_MS);
        return Bits.reverse(timestampMs, TIMESTAMP_BITS) << TIMESTAMP_SHIFT
                | Bounds.require("sequence", sequence, MAX_SEQUENCE) << SEQUENCE_SHIFT
                | Bounds.require("generator", generator, MAX_GENERATOR) << GENERATOR_SHIFT
                | Bounds.require("cluster", cluster, MAX_CLUSTER);
    }

    /** Reads the canonical text; throws {@link IdFormatException} otherwise. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static EightByteId parse(String text) {
        return Hex.parse(Alphabet.LOWER_HEX, NAME, text, TEXT_LENGTH, EightByteId::new);
    }

    /** The same as {@link #parse}, by the name that Jakarta REST, Spring and MicroProfile Config look for. */
    public static EightByteId valueOf(String text) {
        return parse(text);
    }

    /** As {@link #parse}, but empty where {@code parse} throws. */
    public static Optional<EightByteId> tryParse(String text) {
        return Texts.tryParse(EightByteId::parse, text);
    }

    /**
     * Reads 16 hex digits of either case, also after {@code 0x}, {@code 0X} or PostgreSQL's {@code \x}; throws
     * {@link IdFormatException} otherwise.
     */
    public static EightByteId parseHex(String text) {
        return Hex.parse("eightbyte hex", text, TEXT_LENGTH, EightByteId::new);
    }

    /**
     * Reads 11 of {@code [A-Za-z0-9_-]}, the last with its two spare bits clear; throws {@link IdFormatException}
     * otherwise.
     */
    public static EightByteId parseBase64Url(String text) {
        Bounds.length(BASE64_URL, text, BASE64_URL_LENGTH);
        int last = BASE64_URL_LENGTH - 1;
        long start = Alphabet.BASE64_URL.read(BASE64_URL, text, 0, last);
        int end = Alphabet.BASE64_URL.digit(BASE64_URL, text, last);
        if ((end & 0b11) != 0) {
            throw new IdFormatException(
                    "%s must end with spare bits clear: %s at position %d"
                            .formatted(BASE64_URL, Alphabet.quote(text, last), last),
                    last);
        }
        return new EightByteId(0, start << 4 | end >>> 2);
    }

    /**
     * Reads a number without leading zeros: unsigned as {@link #toDecimal} writes it, or signed as {@link #toLong}
     * gives it. Throws {@link IdFormatException} for other texts, and if a reserved bit is set.
     */
    public static EightByteId parseDecimal(String text) {
        return new EightByteId(0, Texts.decimal("eightbyte decimal", text, -1));
    }

    /** The ID of {@link #toLong}; throws {@link IdFormatException} if a reserved bit is set. */
    public static EightByteId fromLong(long value) {
        return new EightByteId(0, value);
    }

    /** Reads 8 bytes; throws {@link IdFormatException} for another length, and if a reserved bit is set. */
    public static EightByteId fromBytes(byte[] bytes) {
        return Bits.fromBytes(NAME, bytes, BYTES, EightByteId::new);
    }

    /** An {@link IdTextWriter} of the canonical text. */
    public static void writeText(long high, long low, byte[] buffer, int offset) {
        Hex.write(low, Hex.LOWER, buffer, offset);
    }

    public long timestampMs() {
        return Bits.reverse(low >>> TIMESTAMP_SHIFT, TIMESTAMP_BITS);
    }

    public int sequence() {
        return (int) (low >>> SEQUENCE_SHIFT) & MAX_SEQUENCE;
    }

    public int generator() {
        return (int) (low >>> GENERATOR_SHIFT) & MAX_GENERATOR;
    }

    public int cluster() {
        return (int) low & MAX_CLUSTER;
    }

    /**
     * {@inheritDoc}
     *
     * <p>IDs do not sort by their time, so no range of IDs is a range of time: see the class.
     */
    @Override
    public Instant time() {
        return Instant.ofEpochMilli(timestampMs());
    }

    /**
     * The 8 bytes as a number, which is negative in every odd millisecond. A signed column keeps the number, but sorts
     * negative numbers first, while IDs sort by their unsigned bytes. Neither sorts by time.
     */
    public long toLong() {
        return low;
    }

    /** The same as {@link #toString}. */
    public String toHex() {
        return toString();
    }

    public String toBase64Url() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(toBytes());
    }

    /** The 8 bytes as an unsigned number. */
    public String toDecimal() {
        return Long.toUnsignedString(low);
    }

    @Override
    public byte[] toBytes() {
        return Bits.toBytes(this, BYTES);
    }

    /** The canonical text. */
    @Override
    @JsonValue
    public String toString() {
        return Texts.text(this, TEXT_LENGTH, EightByteId::writeText);
    }
}
