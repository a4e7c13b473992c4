package org.idallocator.core.id;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.idallocator.core.id.IdType.Field;
import org.idallocator.core.id.IdType.Form;

/**
 * An ID as muyo/sno v1.2.1 specifies it: 10 bytes, time first, sorted alike as bytes and as text.
 *
 * <pre>
 *  0                                     38 39 40    47 48            63 64            79
 * +----------------------------------------+--+--------+----------------+----------------+
 * |             timestampUnits             |t |metabyte|   partition    |    sequence    |
 * +----------------------------------------+--+--------+----------------+----------------+
 *                     39                    1     8            16               16
 * </pre>
 *
 * {@code timestampUnits} counts units of 4 ms since 2010-01-01T00:00:00Z, rounded down. {@code t} is the tick: a
 * generator toggles it when its clock steps back. The tick is no part of the time. All patterns of 80 bits are IDs.
 * Immutable.
 *
 * <p>The canonical text is 16 characters of {@code [2-9a-x]}, five bits each. Other forms: {@code hex}, 20 lower-case
 * digits; {@code uuid}, the 16 characters as the 16 bytes of a lower-case UUID. Parsers read {@code hex} and
 * {@code uuid} in either case, and the canonical text in lower case alone.
 *
 * <h2>Capacity</h2>
 *
 * 65,536 IDs in 4 ms in each of 65,536 partitions: 16,384,000 a second for one partition. A slot with a range of a
 * partition's sequences has a share of this capacity. The metabyte belongs to the caller and adds no capacity. The last
 * unit of time is the 4 ms from 2079-09-07T15:47:35.548Z on.
 *
 * <h2>Ordering</h2>
 *
 * Bytes, the text, {@code hex} and UUIDs all sort as IDs do: by time, then tick, metabyte, partition and sequence. IDs
 * that a generator draws after its clock stepped back sort before or after the others of the same 4 ms, not among them.
 * The IDs of the time from {@code from}, inclusive, to {@code to}, exclusive, lie from {@link #first first(from)},
 * inclusive, to {@code first(to)}, exclusive.
 *
 * <h2>What it reveals</h2>
 *
 * Everything: the time to 4 ms, the metabyte, where the ID was made (the partition), and its number within the 4 ms
 * (the sequence). Nothing in it is random, so other IDs can be guessed.
 *
 * <h2>When to choose it</h2>
 *
 * As the general choice: short, sorted by time in every form, and with a byte for the caller's own use. Take
 * {@link Gid} for keys that others must not guess, and {@link Uid60} or {@link EightByteId} for keys that must fit a
 * {@code long}.
 */
public record Sno(long high, long low) implements Ordered<Sno> {
    public static final int BYTES = 10;
    public static final int TEXT_LENGTH = 16;

    public static final int TIMESTAMP_BITS = 39;
    public static final int TICK_BITS = 1;
    public static final int METABYTE_BITS = 8;
    public static final int PARTITION_BITS = 16;
    public static final int SEQUENCE_BITS = 16;

    public static final long MAX_TIMESTAMP_UNITS = (1L << TIMESTAMP_BITS) - 1;
    public static final int MAX_TICK = (1 << TICK_BITS) - 1;
    public static final int MAX_METABYTE = (1 << METABYTE_BITS) - 1;
    public static final int MAX_PARTITION = (1 << PARTITION_BITS) - 1;
    public static final int MAX_SEQUENCE = (1 << SEQUENCE_BITS) - 1;

    /** 2010-01-01T00:00:00Z. */
    public static final long EPOCH_UNIX_MS = 1_262_304_000_000L;

    public static final int UNIT_MS = 4;
    /** The first and the last instant that an ID can carry, both inclusive. */
    public static final Instant MIN_TIME = Instant.ofEpochMilli(EPOCH_UNIX_MS);

    public static final Instant MAX_TIME =
            MIN_TIME.plusMillis((MAX_TIMESTAMP_UNITS + 1) * UNIT_MS).minusNanos(1);

    /** All bits zero, the first in order. Its time is in 2010, so that programs may use it to mean no ID. */
    public static final Sno ZERO = new Sno(0, 0);

    private static final String NAME = "sno";
    private static final int BITS = 8 * BYTES;
    private static final int HEX_LENGTH = 2 * BYTES;

    private static final int PARTITION_SHIFT = SEQUENCE_BITS;
    private static final int METABYTE_SHIFT = PARTITION_SHIFT + PARTITION_BITS;
    private static final int TICK_SHIFT = METABYTE_SHIFT + METABYTE_BITS;
    private static final int TIMESTAMP_SHIFT = TICK_SHIFT + TICK_BITS;

    private static final int SYMBOL_BITS = 5;
    private static final int HALF_LENGTH = TEXT_LENGTH / 2;
    private static final int HALF_BITS = BITS / 2;
    /** The metabyte begins with a character and ends within the next one. */
    private static final int METABYTE_AT = HALF_LENGTH;

    private static final int METABYTE_LENGTH = 2;
    private static final int AFTER_METABYTE_BITS = METABYTE_LENGTH * SYMBOL_BITS - METABYTE_BITS;

    /** How these IDs are read and written. */
    public static final IdType<Sno> TYPE = new IdType<>(
            NAME,
            BYTES,
            Sno::new,
            Sno::writeText,
            "[2-9a-x]{16}",
            List.of(
                    new Field<>("timestamp_units", 0, 38, Sno::timestampUnits),
                    new Field<>("tick", 39, 39, Sno::tick),
                    new Field<>("metabyte", 40, 47, Sno::metabyte),
                    new Field<>("partition", 48, 63, Sno::partition),
                    new Field<>("sequence", 64, 79, Sno::sequence)),
            List.of(
                    new Form<>(Form.CANONICAL, TEXT_LENGTH, Id::toString, Sno::parse),
                    new Form<>(Form.HEX, HEX_LENGTH, Sno::toHex, Sno::parseHex),
                    new Form<>("uuid", 36, id -> id.toUuid().toString(), Sno::parseUuid)));

    /** The ID of these bits. Throws {@link IdFormatException} if any but the lowest 80 is set. */
    @JsonCreator(mode = JsonCreator.Mode.DISABLED)
    public Sno {
        Bounds.width(NAME, high, low, BITS);
    }

    /**
     * The ID of these fields, each 0 to its {@code MAX_} constant, inclusive; throws {@link IllegalArgumentException}
     * else.
     */
    public static Sno of(long timestampUnits, int tick, int metabyte, int partition, int sequence) {
        return new Sno(highBits(timestampUnits, tick), lowBits(timestampUnits, tick, metabyte, partition, sequence));
    }

    /** The upper bits of {@link #of}, for an {@link IdSink}; checks the same. */
    public static long highBits(long timestampUnits, int tick) {
        return timestampBlock(timestampUnits, tick) >>> (Long.SIZE - TICK_SHIFT);
    }

    /** The lower bits of {@link #of}, for an {@link IdSink}; checks the same. */
    public static long lowBits(long timestampUnits, int tick, int metabyte, int partition, int sequence) {
        return timestampBlock(timestampUnits, tick) << TICK_SHIFT
                | Bounds.require("metabyte", metabyte, MAX_METABYTE) << METABYTE_SHIFT
                | Bounds.require("partition", partition, MAX_PARTITION) << PARTITION_SHIFT
                | Bounds.require("sequence", sequence, MAX_SEQUENCE);
    }

    private static long timestampBlock(long timestampUnits, int tick) {
        return Bounds.require("timestampUnits", timestampUnits, MAX_TIMESTAMP_UNITS) << TICK_BITS
                | Bounds.require("tick", tick, MAX_TICK);
    }

    /**
     * The ID of a time that the caller chooses, rounded down to 4 ms, with tick 0.
     *
     * @throws IllegalArgumentException if the time is before {@link #MIN_TIME} or after {@link #MAX_TIME}, or if a
     *     field is out of its range
     */
    public static Sno at(Instant time, int metabyte, int partition, int sequence) {
        return of(unitsOf(time), 0, metabyte, partition, sequence);
    }

    private static long unitsOf(Instant time) {
        return (Bounds.time(time, MIN_TIME, MAX_TIME).toEpochMilli() - EPOCH_UNIX_MS) / UNIT_MS;
    }

    /**
     * The first ID of the 4 ms that a time is in, with all other bits 0, for a range of keys: an ID is of a time from
     * {@code a}, inclusive, to {@code b}, exclusive, if it is {@code first(a)} or more, and less than {@code first(b)}.
     * Both times are rounded down to 4 ms, so ranges that share a bound share no ID and leave none out. A time before
     * {@link #MIN_TIME} gives {@link #ZERO}.
     *
     * @throws IllegalArgumentException if the time is after {@link #MAX_TIME}: no ID is as late
     */
    public static Sno first(Instant time) {
        return of(unitsOf(time.isBefore(MIN_TIME) ? MIN_TIME : time), 0, 0, 0, 0);
    }

    /**
     * The last ID of the 4 ms that a time is in, with all other bits 1, for a range that includes its end, as SQL's
     * {@code BETWEEN} does. A time after {@link #MAX_TIME} gives the last ID of all.
     *
     * @throws IllegalArgumentException if the time is before {@link #MIN_TIME}: no ID is as early
     */
    public static Sno last(Instant time) {
        return of(
                unitsOf(time.isAfter(MAX_TIME) ? MAX_TIME : time), MAX_TICK, MAX_METABYTE, MAX_PARTITION, MAX_SEQUENCE);
    }

    /** Reads the canonical text; throws {@link IdFormatException} otherwise. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Sno parse(String text) {
        Bounds.length(NAME, text, TEXT_LENGTH);
        long upper = Alphabet.SNO.read(NAME, text, 0, HALF_LENGTH);
        long lower = Alphabet.SNO.read(NAME, text, HALF_LENGTH, TEXT_LENGTH);
        return new Sno(upper >>> (Long.SIZE - HALF_BITS), upper << HALF_BITS | lower);
    }

    /** The same as {@link #parse}, by the name that Jakarta REST, Spring and MicroProfile Config look for. */
    public static Sno valueOf(String text) {
        return parse(text);
    }

    /** As {@link #parse}, but empty where {@code parse} throws. */
    public static Optional<Sno> tryParse(String text) {
        return Texts.tryParse(Sno::parse, text);
    }

    /**
     * The metabyte of a canonical text. The other characters are counted but not read.
     *
     * @throws IdFormatException if the text is not 16 characters, or character 8 or 9 is not of {@code [2-9a-x]}
     */
    public static int metabyteOf(String text) {
        Bounds.length(NAME, text, TEXT_LENGTH);
        long bits = Alphabet.SNO.read(NAME, text, METABYTE_AT, METABYTE_AT + METABYTE_LENGTH);
        return (int) bits >>> AFTER_METABYTE_BITS;
    }

    /**
     * Reads 20 hex digits of either case, also after {@code 0x}, {@code 0X} or PostgreSQL's {@code \x}; throws
     * {@link IdFormatException} otherwise.
     */
    public static Sno parseHex(String text) {
        return Hex.parse("sno hex", text, HEX_LENGTH, Sno::new);
    }

    /** Reads a UUID, in either case, whose bytes are a canonical text; throws {@link IdFormatException} otherwise. */
    public static Sno parseUuid(String text) {
        return fromUuid(Texts.uuid("sno uuid", text));
    }

    /** The ID of {@link #toUuid}; throws {@link IdFormatException} for a UUID that no ID gives. */
    public static Sno fromUuid(UUID uuid) {
        ByteBuffer bytes = ByteBuffer.allocate(TEXT_LENGTH);
        bytes.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
        return parse(new String(bytes.array(), ISO_8859_1));
    }

    /** Reads 10 bytes; throws {@link IdFormatException} otherwise. */
    public static Sno fromBytes(byte[] bytes) {
        return Bits.fromBytes(NAME, bytes, BYTES, Sno::new);
    }

    /** An {@link IdTextWriter} of the canonical text. */
    public static void writeText(long high, long low, byte[] buffer, int offset) {
        long upper = high << (Long.SIZE - HALF_BITS) | low >>> HALF_BITS;
        Alphabet.SNO.writeEight(upper, SYMBOL_BITS, buffer, offset);
        Alphabet.SNO.writeEight(low, SYMBOL_BITS, buffer, offset + HALF_LENGTH);
    }

    public long timestampUnits() {
        return (high << (Long.SIZE - TIMESTAMP_SHIFT)) | low >>> TIMESTAMP_SHIFT;
    }

    public int tick() {
        return (int) (low >>> TICK_SHIFT) & MAX_TICK;
    }

    public int metabyte() {
        return (int) (low >>> METABYTE_SHIFT) & MAX_METABYTE;
    }

    public int partition() {
        return (int) (low >>> PARTITION_SHIFT) & MAX_PARTITION;
    }

    public int sequence() {
        return (int) low & MAX_SEQUENCE;
    }

    @Override
    public Instant time() {
        return Instant.ofEpochMilli(EPOCH_UNIX_MS + timestampUnits() * UNIT_MS);
    }

    /**
     * This ID with another metabyte, 0..255; throws {@link IllegalArgumentException} else. The caller keeps IDs unique.
     */
    public Sno withMetabyte(int metabyte) {
        return withField(METABYTE_SHIFT, MAX_METABYTE, Bounds.require("metabyte", metabyte, MAX_METABYTE));
    }

    /** As {@link #withMetabyte}, with another partition, 0..65535. */
    public Sno withPartition(int partition) {
        return withField(PARTITION_SHIFT, MAX_PARTITION, Bounds.require("partition", partition, MAX_PARTITION));
    }

    /** As {@link #withMetabyte}, with another sequence, 0..65535. */
    public Sno withSequence(int sequence) {
        return withField(0, MAX_SEQUENCE, Bounds.require("sequence", sequence, MAX_SEQUENCE));
    }

    private Sno withField(int shift, long mask, long value) {
        return new Sno(high, (low & ~(mask << shift)) | value << shift);
    }

    /**
     * This ID with another time, rounded down to 4 ms. The tick stays: it tells on which of two timelines the generator
     * drew the ID.
     *
     * @throws IllegalArgumentException if the time is before {@link #MIN_TIME} or after {@link #MAX_TIME}
     */
    public Sno withTime(Instant time) {
        return of(unitsOf(time), tick(), metabyte(), partition(), sequence());
    }

    public String toHex() {
        return Hex.toText(high, low, HEX_LENGTH);
    }

    /**
     * The 16 characters of the text as the 16 bytes of a UUID. A database that compares bytes sorts a column of them as
     * IDs sort. {@link UUID#compareTo} does so, too, because no ASCII character has the sign bit set.
     */
    public UUID toUuid() {
        ByteBuffer bytes = ByteBuffer.wrap(toString().getBytes(ISO_8859_1));
        return new UUID(bytes.getLong(), bytes.getLong());
    }

    @Override
    public byte[] toBytes() {
        return Bits.toBytes(this, BYTES);
    }

    /** The canonical text. */
    @Override
    @JsonValue
    public String toString() {
        return Texts.text(this, TEXT_LENGTH, Sno::writeText);
    }
}
