package org.idallocator.core.id;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import org.jspecify.annotations.Nullable;

/** What an ID has because it is 128 bits of one scheme: identity, order and a text of fixed length. */
abstract class IdBits<T extends IdBits<T>> implements Id, Comparable<T> {
    private final int bytes;
    private final long high;
    private final long low;

    IdBits(int bytes, long high, long low) {
        this.bytes = bytes;
        this.high = high;
        this.low = low;
    }

    @Override
    public final long high() {
        return high;
    }

    @Override
    public final long low() {
        return low;
    }

    @Override
    public final byte[] toBytes() {
        return Bits.toBytes(high, low, bytes);
    }

    /** The order of the unsigned bytes. */
    @Override
    public final int compareTo(T other) {
        int upper = Long.compareUnsigned(high, other.high());
        return upper != 0 ? upper : Long.compareUnsigned(low, other.low());
    }

    /** Of the same scheme and bits; that {@link #getClass} is compared harms nobody, as the subclasses are final. */
    @Override
    @SuppressWarnings("EqualsGetClass")
    public final boolean equals(@Nullable Object other) {
        return other != null
                && getClass() == other.getClass()
                && high == ((IdBits<?>) other).high
                && low == ((IdBits<?>) other).low;
    }

    @Override
    public final int hashCode() {
        return Long.hashCode(high * 31 + low);
    }

    final String text(int length, IdTextWriter writer) {
        byte[] buffer = new byte[length];
        writer.write(high, low, buffer, 0);
        return new String(buffer, ISO_8859_1);
    }
}
