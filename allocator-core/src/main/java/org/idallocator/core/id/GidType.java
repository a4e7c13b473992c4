package org.idallocator.core.id;

import java.util.Locale;
import java.util.Optional;

/** What a {@link Gid} identifies. Its first byte says which; texts use the lower-case name. */
public enum GidType {
    VOLUME(0x80),
    LOG(0xa0),
    SEGMENT(0xc0);

    private static final GidType[] ALL = values();

    private final int prefix;
    private final Optional<GidType> itself = Optional.of(this);

    GidType(int prefix) {
        this.prefix = prefix;
    }

    /** The first byte, 0..255. */
    public int prefix() {
        return prefix;
    }

    /** The type with this first byte. */
    public static Optional<GidType> ofPrefix(int prefix) {
        for (GidType type : ALL) {
            if (type.prefix == prefix) {
                return type.itself;
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
