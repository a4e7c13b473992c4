package org.idallocator.core.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
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
