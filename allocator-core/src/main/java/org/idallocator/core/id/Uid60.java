package org.idallocator.core.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.id.IdType.Field;
import org.idallocator.core.id.IdType.Form;

/**
 * An ID as the design text of abyss-club/uexky (97621c9) specifies it: a 60-bit integer that sorts by time, and a
 * display form that looks random and does not sort.
 *
 * <pre>
 *  0   3 4                               35 36     44 45      54 55     63
 * +-----+----------------------------------+---------+----------+---------+
 * | zero|            timestampS            | worker  | sequence | random  |
 * +-----+----------------------------------+---------+----------+---------+
 *    4                  32                      9         10         9
 * </pre>
 *
 * {@code timestampS} counts seconds since 2018-03-01T00:00:00Z, rounded down. All patterns of 60 bits are IDs.
 * Immutable.
 *
 * <p>The canonical text, the display form, is the 32 bits of the timestamp, reversed, and then the other 28 bits, as 10
 * characters of {@code [A-Za-z0-9_-]} with six bits each. Other forms, of the integer as it is stored: {@code decimal},
 * and {@code hex}, 15 lower-case digits. {@link #parseHex} says what else it reads; other parsers accept nothing else.
 *
 * <h2>Capacity</h2>
 *
 * 1,024 IDs in a second for each of 512 workers: 524,288 a second in all. The random bits add no capacity. The last
 * time is 2154-04-07T06:28:15Z.
 *
 * <h2>Ordering</h2>
 *
 * Bytes, {@link #toLong} and {@code hex} sort as IDs do: by time, then worker and sequence. The display form, and
 * {@code decimal} as text, do not. The IDs of the time from {@code from}, inclusive, to {@code to}, exclusive, lie from
 * {@link #first first(from)}, inclusive, to {@code first(to)}, exclusive. The display form is case-sensitive, so a
 * column of it needs a binary collation.
 *
 * <h2>What it reveals</h2>
 *
 * Everything: the time to the second, the worker, and which of the worker's 1,024 numbers the ID has. The ID looks
 * random, but anyone can turn the bits around, and nine random bits slow guessing down by a factor of 512, no more.
 *
 * <h2>When to choose it</h2>
 *
 * For moderate rates, where people see the ID: the ID is stored as a positive {@code BIGINT} that sorts by time, and
 * shown as the shortest text of all schemes. Send the text in JSON: JavaScript would round the number.
 */
public record Uid60(long high, long low) implements Ordered<Uid60> {
    public static final int BYTES = 8;
    public static final int TEXT_LENGTH = 10;

    public static final int TIMESTAMP_BITS = 32;
    public static final int WORKER_BITS = 9;
    public static final int SEQUENCE_BITS = 10;
    public static final int RANDOM_BITS = 9;

    public static final long MAX_TIMESTAMP_S = (1L << TIMESTAMP_BITS) - 1;
    public static final int MAX_WORKER = (1 << WORKER_BITS) - 1;
    public static final int MAX_SEQUENCE = (1 << SEQUENCE_BITS) - 1;
    public static final int MAX_RANDOM = (1 << RANDOM_BITS) - 1;

    /** 2018-03-01T00:00:00Z. */
    public static final long EPOCH_UNIX_S = 1_519_862_400;

    private static final Instant MIN_TIME = Instant.ofEpochSecond(EPOCH_UNIX_S);
    private static final Instant MAX_TIME =
            MIN_TIME.plusSeconds(MAX_TIMESTAMP_S + 1).minusNanos(1);

    private static final String NAME = "uid60";
    private static final String HEX = "uid60 hex";
    private static final int SEQUENCE_SHIFT = RANDOM_BITS;
    private static final int WORKER_SHIFT = SEQUENCE_SHIFT + SEQUENCE_BITS;
    private static final int TIMESTAMP_SHIFT = WORKER_SHIFT + WORKER_BITS;
    private static final int BITS = TIMESTAMP_SHIFT + TIMESTAMP_BITS;
    private static final int HEX_LENGTH = 15;
    private static final int SYMBOL_BITS = 6;

    /** How these IDs are read and written. */
    public static final IdType<Uid60> TYPE = new IdType<>(
            NAME,
            BYTES,
            Uid60::new,
            Uid60::writeText,
            "[A-Za-z0-9_-]{10}",
            List.of(
                    new Field<>("timestamp_s", 4, 35, Uid60::timestampS),
                    new Field<>("worker", 36, 44, Uid60::worker),
                    new Field<>("sequence", 45, 54, Uid60::sequence),
                    new Field<>("random", 55, 63, Uid60::random)),
            List.of(
                    new Form<>(Form.CANONICAL, TEXT_LENGTH, Id::toString, Uid60::parse),
                    new Form<>("decimal", 1, 19, Uid60::toDecimal, Uid60::parseDecimal),
                    new Form<>(Form.HEX, HEX_LENGTH, Uid60::toHex, Uid60::parseHex)));

    /** The ID of these bits. Throws {@link IdFormatException} if any but the lowest 60 is set. */
    @JsonCreator(mode = JsonCreator.Mode.DISABLED)
    public Uid60 {
        Bounds.width(NAME, high, low, BITS);
    }

    /**
     * The ID of these fields, each 0 to its {@code MAX_} constant, inclusive; throws {@link IllegalArgumentException}
     * else.
     */
    public static Uid60 of(long timestampS, int worker, int sequence, int random) {
        return new Uid60(0, bits(timestampS, worker, sequence, random));
    }

    /** The lower bits of {@link #of}, for an {@link IdSink}; checks the same. */
    public static long bits(long timestampS, int worker, int sequence, int random) {
        return Bounds.require("timestampS", timestampS, MAX_TIMESTAMP_S) << TIMESTAMP_SHIFT
                | Bounds.require("worker", worker, MAX_WORKER) << WORKER_SHIFT
                | Bounds.require("sequence", sequence, MAX_SEQUENCE) << SEQUENCE_SHIFT
                | Bounds.require("random", random, MAX_RANDOM);
    }

    /**
     * The first ID of the second that a time is in, with all other bits 0, for a range of keys: an ID is of a time from
     * {@code a}, inclusive, to {@code b}, exclusive, if it is {@code first(a)} or more, and less than {@code first(b)}.
     * Both times are rounded down to a second, so ranges that share a bound share no ID and leave none out. A time
     * before 2018-03-01T00:00:00Z gives the first ID of all.
     *
     * @throws IllegalArgumentException if the time is 2154-04-07T06:28:16Z or later: no ID is as late
     */
    public static Uid60 first(Instant time) {
        return of(secondsOf(time.isBefore(MIN_TIME) ? MIN_TIME : time), 0, 0, 0);
    }

    /**
     * The last ID of the second that a time is in, with all other bits 1, for a range that includes its end, as SQL's
     * {@code BETWEEN} does. A time from 2154-04-07T06:28:16Z on gives the last ID of all.
     *
     * @throws IllegalArgumentException if the time is before 2018-03-01T00:00:00Z: no ID is as early
     */
    public static Uid60 last(Instant time) {
        return of(secondsOf(time.isAfter(MAX_TIME) ? MAX_TIME : time), MAX_WORKER, MAX_SEQUENCE, MAX_RANDOM);
    }

    private static long secondsOf(Instant time) {
        return Bounds.time(time, MIN_TIME, MAX_TIME).getEpochSecond() - EPOCH_UNIX_S;
    }

    /** Reads the display form; throws {@link IdFormatException} otherwise. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Uid60 parse(String text) {
        Bounds.length(NAME, text, TEXT_LENGTH);
        return new Uid60(0, flip(Alphabet.BASE64_URL.read(NAME, text, 0, TEXT_LENGTH)));
    }

    /** The same as {@link #parse}, by the name that Jakarta REST, Spring and MicroProfile Config look for. */
    public static Uid60 valueOf(String text) {
        return parse(text);
    }

    /** As {@link #parse}, but empty where {@code parse} throws. */
    public static Optional<Uid60> tryParse(String text) {
        return Texts.tryParse(Uid60::parse, text);
    }

    /**
     * Reads 15 lower-case hex digits, or the 16 digits of the 8 bytes, in either case. After {@code 0x} or PostgreSQL's
     * {@code \x}, the 15 digits may be of either case too. Throws {@link IdFormatException} otherwise.
     */
    public static Uid60 parseHex(String text) {
        int prefix = Hex.prefix(text);
        if (text.length() - prefix == 2 * BYTES) {
            return Hex.parse(HEX, text, 2 * BYTES, Uid60::new);
        }
        return prefix == 0
                ? Hex.parse(Alphabet.LOWER_HEX, HEX, text, HEX_LENGTH, Uid60::new)
                : Hex.parse(HEX, text, HEX_LENGTH, Uid60::new);
    }

    /** Reads a number below 2^60 without sign or leading zeros; throws {@link IdFormatException} otherwise. */
    public static Uid60 parseDecimal(String text) {
        return fromLong(Texts.decimal("uid60 decimal", text, Bits.max(BITS)));
    }

    /** The ID of {@link #toLong}; throws {@link IdFormatException} unless the number is from 0 to 2^60 - 1. */
    public static Uid60 fromLong(long value) {
        return new Uid60(0, value);
    }

    /** Reads 8 bytes, the first four bits of which are zero; throws {@link IdFormatException} otherwise. */
    public static Uid60 fromBytes(byte[] bytes) {
        return Bits.fromBytes(NAME, bytes, BYTES, Uid60::new);
    }

    /** An {@link IdTextWriter} of the canonical text. */
    public static void writeText(long high, long low, byte[] buffer, int offset) {
        long text = flip(low);
        Alphabet.BASE64_URL.writePair((int) (text >>> (8 * SYMBOL_BITS)), buffer, offset);
        Alphabet.BASE64_URL.writeEight(text, SYMBOL_BITS, buffer, offset + 2);
    }

    /** Reverses the timestamp, which turns storage order into display order and back. */
    private static long flip(long bits) {
        return Bits.reverse(bits >>> TIMESTAMP_SHIFT, TIMESTAMP_BITS) << TIMESTAMP_SHIFT
                | (bits & Bits.max(TIMESTAMP_SHIFT));
    }

    /** The storage integer of the specification. Never negative, so that a signed column sorts by time, as IDs do. */
    public long toLong() {
        return low;
    }

    public long timestampS() {
        return low >>> TIMESTAMP_SHIFT;
    }

    public int worker() {
        return (int) (low >>> WORKER_SHIFT) & MAX_WORKER;
    }

    public int sequence() {
        return (int) (low >>> SEQUENCE_SHIFT) & MAX_SEQUENCE;
    }

    public int random() {
        return (int) low & MAX_RANDOM;
    }

    @Override
    public Instant time() {
        return Instant.ofEpochSecond(EPOCH_UNIX_S + timestampS());
    }

    public String toHex() {
        return Hex.toText(high, low, HEX_LENGTH);
    }

    public String toDecimal() {
        return Long.toString(toLong());
    }

    @Override
    public byte[] toBytes() {
        return Bits.toBytes(this, BYTES);
    }

    /** The canonical text. */
    @Override
    @JsonValue
    public String toString() {
        return Texts.text(this, TEXT_LENGTH, Uid60::writeText);
    }
}
