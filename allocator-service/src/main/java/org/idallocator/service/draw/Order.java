package org.idallocator.service.draw;

import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.scheme.Scheme;

/**
 * What one caller asks of a scheme.
 *
 * @param count the number of IDs, 1 or more; of a transaction, the number of its objects
 * @param listed whether the caller named a count: then the answer is a list, even of one ID
 * @param variant what the caller asks for beyond a count
 * @param transaction whether the ID of the whole transaction comes before those of its objects
 */
public record Order(int count, boolean listed, Variant variant, boolean transaction) {
    /** The largest count whose answer is collected in memory, and given as a whole or not at all. */
    public static final int LARGEST_COLLECTED = 10_000;

    /** An order for {@code count} IDs of a variant; the scheme knows which variants are transactions. */
    public static Order of(Scheme<?> scheme, int count, boolean listed, Variant variant) {
        return new Order(count, listed, variant, scheme.grouped(variant));
    }

    /**
     * Draws all IDs of this order, up to {@code chunkIds} at a time, in constant memory. A transaction is one draw, which gives
     * its IDs one by one. Throws what {@link IdGenerator} throws; the IDs that the sink received until then are used up.
     *
     * @param afterChunk runs whenever some IDs were drawn: after so many, and in each tick that gave fewer
     */
    public void draw(IdGenerator<?> generator, int chunkIds, IdSink sink, Runnable afterChunk) {
        IdGenerator<?> ofVariant = generator.with(variant);
        int chunk = transaction ? count : chunkIds;
        int left = count;
        while (left > 0) {
            left -= ofVariant.nextUpTo(Math.min(left, chunk), sink);
            afterChunk.run();
        }
    }

    /** Whether one draw of one ID, or of a transaction with one object, gives the whole answer. */
    public boolean single() {
        return count == 1;
    }

    /** Draws a {@link #single} order where that takes no waiting; false where it does, and then nothing was drawn. */
    boolean poll(IdGenerator<?> generator, IdSink sink) {
        return generator.with(variant).poll(sink);
    }

    /** The number of IDs in the answer. */
    public int ids() {
        return transaction ? count + 1 : count;
    }

    /** How many numbers of a scheme's ticks this takes: a transaction is one draw, whatever its objects. */
    long draws() {
        return transaction ? 1 : count;
    }

    /** Whether there are so many IDs that the answer must be written while they are drawn. */
    public boolean streamed() {
        return count > LARGEST_COLLECTED;
    }
}
