package org.idallocator.core.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.UUID;

/** The {@link Gid} of a log, an ordered list of commits. All its parsers refuse other types. */
public record LogId(long high, long low) implements Gid {

    /** As {@link Gid#ofBits}; throws {@link IdFormatException} for IDs of the other types as well. */
    @JsonCreator(mode = JsonCreator.Mode.DISABLED)
    public LogId {
        GidType.LOG.require(high, low);
    }

    /**
     * The ID of a time, 0 to {@link #MAX_TIMESTAMP_MS} ms, inclusive; throws {@link IllegalArgumentException} for
     * others.
     */
    public static LogId of(long timestampMs, long random) {
        return new LogId(Gid.highBits(GidType.LOG, timestampMs), random);
    }

    /** Reads the canonical text of this type; throws {@link IdFormatException} otherwise. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static LogId parse(String text) {
        return (LogId) Gid.parse(text, GidType.LOG);
    }

    /** The same as {@link #parse(String)}, by the name that Jakarta REST, Spring and MicroProfile Config look for. */
    public static LogId valueOf(String text) {
        return parse(text);
    }

    /** As {@link #parse(String)}, but empty where {@code parse} throws. */
    public static Optional<LogId> tryParse(String text) {
        return Texts.tryParse(LogId::parse, text);
    }

    /**
     * Reads 32 hex digits of either case, also after {@code 0x}, {@code 0X} or PostgreSQL's {@code \x}; throws
     * {@link IdFormatException} otherwise.
     */
    public static LogId parseHex(String text) {
        return Hex.parse("gid hex", text, 2 * BYTES, LogId::new);
    }

    /** Reads 16 bytes; throws {@link IdFormatException} for other lengths, and where {@link #LogId} does. */
    public static LogId fromBytes(byte[] bytes) {
        return Bits.fromBytes("gid", bytes, BYTES, LogId::new);
    }

    /** The ID of {@link #toUuid}; throws {@link IdFormatException} where {@link #LogId} does. */
    public static LogId fromUuid(UUID uuid) {
        return new LogId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }

    @Override
    public GidType type() {
        return GidType.LOG;
    }

    /** The canonical text. */
    @Override
    @JsonValue
    public String toString() {
        return Texts.text(this, TEXT_LENGTH, Gid::writeText);
    }
}
