package org.idallocator.core.id;

import java.time.Instant;
import java.util.Locale;

/** What a {@link Gid} identifies. The first byte of the ID tells the type; texts use the lower-case name. */
public enum GidType {
    VOLUME(0x80),
    LOG(0xa0),
    SEGMENT(0xc0);

    private static final GidType[] ALL = values();
    private static final int LEAST_SECOND = 0x80;
    private static final int GREATEST_SECOND = 0xff;
    private static final Instant MAX_TIME =
            Instant.ofEpochMilli(Gid.MAX_TIMESTAMP_MS).plusMillis(1).minusNanos(1);

    private final int prefix;

    GidType(int prefix) {
        this.prefix = prefix;
    }

    /** The first byte of the IDs of this type, 0..255. */
    public int prefix() {
        return prefix;
    }

    /**
     * The type of these bits; throws {@link IdFormatException} where no type has the prefix, or the second is too low.
     */
    static GidType of(long high) {
        int prefix = (int) (high >>> (Long.SIZE - Gid.PREFIX_BITS));
        int second = (int) (high & Bits.max(Gid.PREFIX_BITS));
        for (GidType type : ALL) {
            if (type.prefix == prefix) {
                if (second < LEAST_SECOND) {
                    throw new IdFormatException("gid second prefix must be 80..ff: %02x".formatted(second));
                }
                return type;
            }
        }
        throw new IdFormatException("gid prefix must be 80, a0 or c0: %02x".formatted(prefix));
    }

    /** Refuses all but the IDs of this type. */
    void require(long high, long low) {
        GidType type = of(high);
        if (type != this) {
            throw new IdFormatException(
                    "gid must be of type %s: %s is of type %s".formatted(this, Gid.ofBits(high, low), type));
        }
    }

    /**
     * The upper bits of the first ID of this type in the millisecond that a time is in; throws
     * {@link BadValueException} for a time that no ID carries.
     */
    long firstHigh(Instant time) {
        return high(time, LEAST_SECOND);
    }

    /** As {@link #firstHigh}, of the last ID. */
    long lastHigh(Instant time) {
        return high(time, GREATEST_SECOND);
    }

    private long high(Instant time, int second) {
        long timestampMs = Bounds.time(time, Instant.EPOCH, MAX_TIME).toEpochMilli();
        return (Gid.highBits(this, timestampMs) & ~Bits.max(Gid.PREFIX_BITS)) | second;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
