package org.idallocator.core.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The {@link Gid} of a volume. All its parsers refuse other types. */
public record VolumeId(long high, long low) implements Gid {

    /** As {@link Gid#ofBits}; throws {@link IdFormatException} for IDs of the other types as well. */
    @JsonCreator(mode = JsonCreator.Mode.DISABLED)
    public VolumeId {
        GidType.VOLUME.require(high, low);
    }

    /**
     * The ID of a time, 0 to {@link #MAX_TIMESTAMP_MS} ms, inclusive; throws {@link IllegalArgumentException} for
     * others.
     */
    public static VolumeId of(long timestampMs, long random) {
        return new VolumeId(Gid.highBits(GidType.VOLUME, timestampMs), random);
    }

    /**
     * The first ID of a volume in the millisecond that a time is in, for a range of keys: the ID of a volume is of a
     * time from {@code a}, inclusive, to {@code b}, exclusive, if it is {@code first(a)} or more, and less than
     * {@code first(b)}. Both times are rounded down to a millisecond, so ranges that share a bound share no ID and
     * leave none out. The second prefix is 80, the lowest that parsers accept, and all random bits are 0.
     *
     * @throws IllegalArgumentException if the time is before 1970-01-01T00:00:00Z, or is +10889-08-02T05:31:50.656Z or
     *     later
     */
    public static VolumeId first(Instant time) {
        return new VolumeId(GidType.VOLUME.firstHigh(time), 0);
    }

    /**
     * The last ID of a volume in the millisecond that a time is in, for a range that includes its end, as SQL's
     * {@code BETWEEN} does. The second prefix is ff, and all random bits are 1.
     *
     * @throws IllegalArgumentException where {@link #first} does
     */
    public static VolumeId last(Instant time) {
        return new VolumeId(GidType.VOLUME.lastHigh(time), -1);
    }

    /** Reads the canonical text of this type; throws {@link IdFormatException} otherwise. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static VolumeId parse(String text) {
        return (VolumeId) Gid.parse(text, GidType.VOLUME);
    }

    /** The same as {@link #parse(String)}, by the name that Jakarta REST, Spring and MicroProfile Config look for. */
    public static VolumeId valueOf(String text) {
        return parse(text);
    }

    /** As {@link #parse(String)}, but empty where {@code parse} throws. */
    public static Optional<VolumeId> tryParse(String text) {
        return Texts.tryParse(VolumeId::parse, text);
    }

    /**
     * Reads 32 hex digits of either case, also after {@code 0x}, {@code 0X} or PostgreSQL's {@code \x}; throws
     * {@link IdFormatException} otherwise.
     */
    public static VolumeId parseHex(String text) {
        return Hex.parse("gid hex", text, 2 * BYTES, VolumeId::new);
    }

    /** Reads 16 bytes; throws {@link IdFormatException} for other lengths, and where {@link #VolumeId} does. */
    public static VolumeId fromBytes(byte[] bytes) {
        return Bits.fromBytes("gid", bytes, BYTES, VolumeId::new);
    }

    /** The ID of {@link #toUuid}; throws {@link IdFormatException} where {@link #VolumeId} does. */
    public static VolumeId fromUuid(UUID uuid) {
        return new VolumeId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    @Override
    public GidType type() {
        return GidType.VOLUME;
    }

    /** The canonical text. */
    @Override
    @JsonValue
    public String toString() {
        return Texts.text(this, TEXT_LENGTH, Gid::writeText);
    }
}
