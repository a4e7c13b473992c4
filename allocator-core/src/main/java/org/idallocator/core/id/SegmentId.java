package org.idallocator.core.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The {@link Gid} of a segment, compressed pages in object storage. All its parsers refuse other types. */
public record SegmentId(long high, long low) implements Gid {

    /** As {@link Gid#ofBits}; throws {@link IdFormatException} for IDs of the other types as well. */
    @JsonCreator(mode = JsonCreator.Mode.DISABLED)
    public SegmentId {
        GidType.SEGMENT.require(high, low);
    }

    /**
     * The ID of a time, 0 to {@link #MAX_TIMESTAMP_MS} ms, inclusive; throws {@link IllegalArgumentException} for
     * others.
     */
    public static SegmentId of(long timestampMs, long random) {
        return new SegmentId(Gid.highBits(GidType.SEGMENT, timestampMs), random);
    }

    /**
     * The first ID of a segment in the millisecond that a time is in, for a range of keys: the ID of a segment is of a
     * time from {@code a}, inclusive, to {@code b}, exclusive, if it is {@code first(a)} or more, and less than
     * {@code first(b)}. Both times are rounded down to a millisecond, so ranges that share a bound share no ID and
     * leave none out. The second prefix is 80, the lowest that parsers accept, and all random bits are 0.
     *
     * @throws IllegalArgumentException if the time is before 1970-01-01T00:00:00Z, or is +10889-08-02T05:31:50.656Z or
     *     later
     */
    public static SegmentId first(Instant time) {
        return new SegmentId(GidType.SEGMENT.firstHigh(time), 0);
    }

    /**
     * The last ID of a segment in the millisecond that a time is in, for a range that includes its end, as SQL's
     * {@code BETWEEN} does. The second prefix is ff, and all random bits are 1.
     *
     * @throws IllegalArgumentException where {@link #first} does
     */
    public static SegmentId last(Instant time) {
        return new SegmentId(GidType.SEGMENT.lastHigh(time), -1);
    }

    /** Reads the canonical text of this type; throws {@link IdFormatException} otherwise. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static SegmentId parse(String text) {
        return (SegmentId) Gid.parse(text, GidType.SEGMENT);
    }

    /** The same as {@link #parse(String)}, by the name that Jakarta REST, Spring and MicroProfile Config look for. */
    public static SegmentId valueOf(String text) {
        return parse(text);
    }

    /** As {@link #parse(String)}, but empty where {@code parse} throws. */
    public static Optional<SegmentId> tryParse(String text) {
        return Texts.tryParse(SegmentId::parse, text);
    }

    /**
     * Reads 32 hex digits of either case, also after {@code 0x}, {@code 0X} or PostgreSQL's {@code \x}; throws
     * {@link IdFormatException} otherwise.
     */
    public static SegmentId parseHex(String text) {
        return Hex.parse("gid hex", text, 2 * BYTES, SegmentId::new);
    }

    /** Reads 16 bytes; throws {@link IdFormatException} for other lengths, and where {@link #SegmentId} does. */
    public static SegmentId fromBytes(byte[] bytes) {
        return Bits.fromBytes("gid", bytes, BYTES, SegmentId::new);
    }

    /** The ID of {@link #toUuid}; throws {@link IdFormatException} where {@link #SegmentId} does. */
    public static SegmentId fromUuid(UUID uuid) {
        return new SegmentId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    @Override
    public GidType type() {
        return GidType.SEGMENT;
    }

    /** The canonical text. */
    @Override
    @JsonValue
    public String toString() {
        return Texts.text(this, TEXT_LENGTH, Gid::writeText);
    }
}
