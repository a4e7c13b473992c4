package org.idallocator.core.id;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What all IDs share, since an ID is 128 bits of one type: identity, order, serialization and a text of fixed length.
 *
 * <p>Jackson may call only what is annotated. Otherwise it would read JSON numbers through a private constructor that takes
 * a {@code long}, unchecked.
 *
 * @param <T> the type that the ID compares with
 */
@JsonAutoDetect(creatorVisibility = JsonAutoDetect.Visibility.NONE)
abstract class IdBits<T extends Id> implements Id, Serializable {
    /** Where a text is written before a string copies it: so a text leaves no array to the collector. */
    private static final ThreadLocal<byte[]> TEXT = ThreadLocal.withInitial(() -> new byte[Muid.TEXT_LENGTH]);

    private final IdKind kind;
    private final long high;
    private final long low;

    IdBits(IdKind kind, long high, long low) {
        this.kind = kind;
        this.high = high;
        this.low = low;
    }

    static <R> Optional<R> tryParse(Function<String, R> parse, String text) {
        try {
            return Optional.of(parse.apply(text));
        } catch (IdFormatException e) {
            return Optional.empty();
        }
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
        return Bits.toBytes(high, low, kind.bytes());
    }

    /** Compares the unsigned bytes; the type's own page says whether that is the order of time. */
    public final int compareTo(T other) {
        int upper = Long.compareUnsigned(high, other.high());
        return upper != 0 ? upper : Long.compareUnsigned(low, other.low());
    }

    /** True for the same type and bits. Comparing {@link #getClass} does no harm, because the subclasses are final. */
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
        byte[] buffer = TEXT.get();
        writer.write(high, low, buffer, 0);
        return new String(buffer, 0, length, ISO_8859_1);
    }

    final Object writeReplace() {
        return new SerializedId(kind.tag(), high, low);
    }

    /** Refuses serialized data that names an ID's class itself, because nobody would have checked the bits. */
    private void readObject(ObjectInputStream in) throws InvalidObjectException {
        throw notSerialized();
    }

    /** As {@link #readObject}, for serialized data that leaves out this class. */
    private void readObjectNoData() throws InvalidObjectException {
        throw notSerialized();
    }

    private InvalidObjectException notSerialized() {
        return new InvalidObjectException("IDs are serialized as %s only: %s"
                .formatted(SerializedId.class.getSimpleName(), getClass().getName()));
    }
}
