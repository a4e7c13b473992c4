package org.idallocator.core.id;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bits and bytes of numbers that are narrower or wider than a {@code long}. */
final class Bits {
    private static final int BYTES = 2 * Long.BYTES;

    private Bits() {}

    /** The largest unsigned number of {@code width} bits, 1 to 63. */
    static long max(int width) {
        return (1L << width) - 1;
    }

    /** Reverses the lowest {@code width} bits, 1 to 64, and drops the others. */
    static long reverse(long value, int width) {
        return Long.reverse(value) >>> (Long.SIZE - width);
    }

    static byte[] toBytes(Id id, int length) {
        byte[] all =
                ByteBuffer.allocate(BYTES).putLong(id.high()).putLong(id.low()).array();
        return Arrays.copyOfRange(all, BYTES - length, BYTES);
    }

    static <T extends Id> T fromBytes(String what, byte[] bytes, int length, IdReader<T> reader) {
        if (bytes.length != length) {
            throw new IdFormatException("%s must be %d bytes: %d".formatted(what, length, bytes.length));
        }
        ByteBuffer all = ByteBuffer.allocate(BYTES).put(BYTES - length, bytes);
        return reader.of(all.getLong(0), all.getLong(Long.BYTES));
    }
}
