package org.idallocator.core.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.id.IdType.Field;
import org.idallocator.core.id.IdType.Form;

/**
 * An ID as the Muid text of x5e/gink (c2ae437) specifies it: 16 bytes, sorted by time, then node, then position in a
 * transaction.
 *
 * <pre>
 *  0                                     55 56                                107 108      127
 * +----------------------------------------+-------------------------------------+------------+
 * |              timestampUs               |              medallion              |   offset   |
 * +----------------------------------------+-------------------------------------+------------+
 *                     56                                    52                         20
 * </pre>
 *
 * {@code timestampUs} counts microseconds since 1970-01-01T00:00:00Z, rounded down. The {@code medallion} names the
 * node. Version 1 of the specification draws the medallion from 2^48 to 2^49 - 1, both inclusive. {@link #of} refuses
 * other medallions. Parsers accept any, as a later revision of the specification asks, and {@link #isVersion1} tells
 * which it is. {@code offset} 0 is the transaction itself, the other offsets are its objects. All patterns of 128 bits
 * are IDs. Immutable.
 *
 * <p>The canonical text is 32 upper-case hex digits, and {@link #parse} accepts nothing else. Other forms: {@code hex},
 * the same digits, which are read in either case; {@code uuid}, the 16 bytes as a lower-case UUID.
 *
 * <h2>Capacity</h2>
 *
 * One transaction in a microsecond for each of 2^48 medallions: 1,000,000 a second for one medallion. A transaction has
 * at most 1,048,575 objects. An ID that is drawn alone is object 1 of a transaction of its own. The last time is
 * 4253-05-31T22:20:37.927935Z.
 *
 * <h2>Ordering</h2>
 *
 * Bytes and the text sort as IDs do: by time, then medallion, then offset. So a transaction comes before its objects,
 * and no other ID comes between them. The IDs of the time from {@code from}, inclusive, to {@code to}, exclusive, lie
 * from {@link #first first(from)}, inclusive, to {@code first(to)}, exclusive. {@link UUID#compareTo} sorts otherwise:
 * see {@link #toUuid}.
 *
 * <h2>What it reveals</h2>
 *
 * Everything: the time to the microsecond, the node that made the ID, the transaction, and the ID's place in the
 * transaction. Only the medallion is random, and all IDs of a node share it, so other IDs can be guessed.
 *
 * <h2>When to choose it</h2>
 *
 * For changes that belong together, and that name the node that made them, or where IDs must have the size of a UUID
 * and sort by time. Its text is the longest of all schemes; {@link Sno} says nearly as much in half the length.
 */
public record Muid(long high, long low) implements Ordered<Muid> {
    public static final int BYTES = 16;
    public static final int TEXT_LENGTH = 32;

    public static final int TIMESTAMP_BITS = 56;
    public static final int MEDALLION_BITS = 52;
    public static final int OFFSET_BITS = 20;

    public static final long MAX_TIMESTAMP_US = (1L << TIMESTAMP_BITS) - 1;
    /** The smallest and the largest medallion of version 1, both inclusive. */
    public static final long MIN_MEDALLION = 1L << 48;

    public static final long MAX_MEDALLION = (1L << 49) - 1;
    public static final int MAX_OFFSET = (1 << OFFSET_BITS) - 1;

    private static final Instant MAX_TIME =
            Instant.EPOCH.plus(MAX_TIMESTAMP_US + 1, ChronoUnit.MICROS).minusNanos(1);

    private static final String NAME = "muid";
    /** How many bits of the medallion are in the lower half of the ID. */
    private static final int MEDALLION_LOW_BITS = Long.SIZE - OFFSET_BITS;

    private static final int MEDALLION_HIGH_BITS = MEDALLION_BITS - MEDALLION_LOW_BITS;
    private static final int HALF_LENGTH = TEXT_LENGTH / 2;

    /** How these IDs are read and written. */
    public static final IdType<Muid> TYPE = new IdType<>(
            NAME,
            BYTES,
            Muid::new,
            Muid::writeText,
            "[0-9A-F]{32}",
            List.of(
                    new Field<>("timestamp_us", 0, 55, Muid::timestampUs),
                    new Field<>("medallion", 56, 107, Muid::medallion),
                    new Field<>("offset", 108, 127, Muid::offset)),
            List.of(
                    new Form<>(Form.CANONICAL, TEXT_LENGTH, Id::toString, Muid::parse),
                    new Form<>(Form.HEX, TEXT_LENGTH, Muid::toHex, Muid::parseHex),
                    new Form<>("uuid", 36, id -> id.toUuid().toString(), Muid::parseUuid)));

    /** The ID of these bits, whichever they are. */
    @JsonCreator(mode = JsonCreator.Mode.DISABLED)
    public Muid {}

    /**
     * The ID of fields from 0, or their {@code MIN_}, to their {@code MAX_}; throws {@link IllegalArgumentException}
     * else.
     */
    public static Muid of(long timestampUs, long medallion, int offset) {
        return new Muid(highBits(timestampUs, medallion), lowBits(medallion, offset));
    }

    /** The upper bits of {@link #of}, for an {@link IdSink}; checks the same. */
    public static long highBits(long timestampUs, long medallion) {
        return Bounds.require("timestampUs", timestampUs, MAX_TIMESTAMP_US) << MEDALLION_HIGH_BITS
                | requireVersion1(medallion) >>> MEDALLION_LOW_BITS;
    }

    /** The lower bits of {@link #of}, for an {@link IdSink}; checks the same. */
    public static long lowBits(long medallion, int offset) {
        return requireVersion1(medallion) << OFFSET_BITS | Bounds.require("offset", offset, MAX_OFFSET);
    }

    private static long requireVersion1(long medallion) {
        return Bounds.require("medallion", medallion, MIN_MEDALLION, MAX_MEDALLION);
    }

    /**
     * The first ID of the microsecond that a time is in, with all other bits 0, for a range of keys: an ID is of a time
     * from {@code a}, inclusive, to {@code b}, exclusive, if it is {@code first(a)} or more, and less than
     * {@code first(b)}. Both times are rounded down to a microsecond, so ranges that share a bound share no ID and
     * leave none out. The medallion is 0, which version 1 does not draw.
     *
     * @throws IllegalArgumentException if the time is before 1970-01-01T00:00:00Z, or is 4253-05-31T22:20:37.927936Z or
     *     later
     */
    public static Muid first(Instant time) {
        return new Muid(microsOf(time) << MEDALLION_HIGH_BITS, 0);
    }

    /**
     * The last ID of the microsecond that a time is in, with all other bits 1, for a range that includes its end, as
     * SQL's {@code BETWEEN} does. Version 1 does not draw its medallion.
     *
     * @throws IllegalArgumentException where {@link #first} does
     */
    public static Muid last(Instant time) {
        return new Muid(microsOf(time) << MEDALLION_HIGH_BITS | Bits.max(MEDALLION_HIGH_BITS), -1);
    }

    private static long microsOf(Instant time) {
        Instant checked = Bounds.time(time, Instant.EPOCH, MAX_TIME);
        return TimeUnit.SECONDS.toMicros(checked.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(checked.getNano());
    }

    /** Reads 32 upper-case hex digits; throws {@link IdFormatException} otherwise. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Muid parse(String text) {
        return Hex.parse(Alphabet.UPPER_HEX, NAME, text, TEXT_LENGTH, Muid::new);
    }

    /** The same as {@link #parse}, by the name that Jakarta REST, Spring and MicroProfile Config look for. */
    public static Muid valueOf(String text) {
        return parse(text);
    }

    /** As {@link #parse}, but empty where {@code parse} throws. */
    public static Optional<Muid> tryParse(String text) {
        return Texts.tryParse(Muid::parse, text);
    }

    /**
     * Reads 32 hex digits of either case, also after {@code 0x}, {@code 0X} or PostgreSQL's {@code \x}; throws
     * {@link IdFormatException} otherwise.
     */
    public static Muid parseHex(String text) {
        return Hex.parse("muid hex", text, TEXT_LENGTH, Muid::new);
    }

    /**
     * Reads the text of a UUID in either case, as {@link #toUuid} gives it; throws {@link IdFormatException} otherwise.
     */
    public static Muid parseUuid(String text) {
        return fromUuid(Texts.uuid("muid uuid", text));
    }

    /** Reads 16 bytes; throws {@link IdFormatException} otherwise. */
    public static Muid fromBytes(byte[] bytes) {
        return Bits.fromBytes(NAME, bytes, BYTES, Muid::new);
    }

    /** The ID of a UUID's 16 bytes, whichever they are. */
    public static Muid fromUuid(UUID uuid) {
        return new Muid(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    /** An {@link IdTextWriter} of the canonical text. */
    public static void writeText(long high, long low, byte[] buffer, int offset) {
        Hex.write(high, Hex.UPPER, buffer, offset);
        Hex.write(low, Hex.UPPER, buffer, offset + HALF_LENGTH);
    }

    public long timestampUs() {
        return high >>> MEDALLION_HIGH_BITS;
    }

    /** The 52 bits of the medallion; within the bounds of version 1 if {@link #isVersion1}. */
    public long medallion() {
        return (high << MEDALLION_LOW_BITS | low >>> OFFSET_BITS) & Bits.max(MEDALLION_BITS);
    }

    public int offset() {
        return (int) low & MAX_OFFSET;
    }

    /** Whether the medallion is within the bounds that version 1 of the specification sets. */
    public boolean isVersion1() {
        return medallion() >= MIN_MEDALLION && medallion() <= MAX_MEDALLION;
    }

    /** Whether this is the ID of a transaction rather than that of an object in one. */
    public boolean isTransaction() {
        return offset() == 0;
    }

    /** The ID of the transaction that this ID belongs to; this ID itself if {@link #isTransaction}. */
    public Muid transaction() {
        return isTransaction() ? this : new Muid(high, low & ~(long) MAX_OFFSET);
    }

    @Override
    public Instant time() {
        long seconds = TimeUnit.MICROSECONDS.toSeconds(timestampUs());
        long micros = timestampUs() - TimeUnit.SECONDS.toMicros(seconds);
        return Instant.ofEpochSecond(seconds, TimeUnit.MICROSECONDS.toNanos(micros));
    }

    /**
     * The 16 bytes as a UUID. Its version bits mean nothing. A database that compares bytes sorts a column of them as
     * IDs sort. {@link UUID#compareTo} does not, because it compares the halves as signed numbers.
     */
    public UUID toUuid() {
        return new UUID(high, low);
    }

    /** The same as {@link #toString}: upper-case digits. */
    public String toHex() {
        return toString();
    }

    @Override
    public byte[] toBytes() {
        return Bits.toBytes(this, BYTES);
    }

    /** The canonical text. */
    @Override
    @JsonValue
    public String toString() {
        return Texts.text(this, TEXT_LENGTH, Muid::writeText);
    }
}
