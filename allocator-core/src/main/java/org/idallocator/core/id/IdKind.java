package org.idallocator.core.id;

import java.util.Arrays;

/**
 * The types of IDs, with their sizes. The tag stands for the type in serialized data: a type keeps its tag for ever, and no
 * other type ever gets it.
 */
enum IdKind {
    SNO(1, Sno.BYTES),
    MUID(2, Muid.BYTES),
    EIGHTBYTE(3, EightByteId.BYTES),
    UID60(4, Uid60.BYTES),
    GID(5, Gid.BYTES);

    private final byte tag;
    private final int bytes;

    IdKind(int tag, int bytes) {
        this.tag = (byte) tag;
        this.bytes = bytes;
    }

    /** Throws {@link IdFormatException} if no type has this tag. */
    static IdKind ofTag(byte tag) {
        return Arrays.stream(values())
                .filter(kind -> kind.tag == tag)
                .findFirst()
                .orElseThrow(() -> new IdFormatException("tag must be 1..%d: %d".formatted(values().length, tag)));
    }

    byte tag() {
        return tag;
    }

    /** Length in bytes. */
    int bytes() {
        return bytes;
    }

    /** The ID of this type with these bits; throws {@link IdFormatException} if the type excludes the bits. */
    Id read(long high, long low) {
        return switch (this) {
            case SNO -> Sno.ofBits(high, low);
            case MUID -> Muid.ofBits(high, low);
            case EIGHTBYTE -> EightByteId.ofBits(high, low);
            case UID60 -> Uid60.ofBits(high, low);
            case GID -> Gid.ofBits(high, low);
        };
    }
}
