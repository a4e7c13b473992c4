package org.idallocator.service.draw;

import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.scheme.Scheme;

/**
 * What one request asks of a scheme.
 *
 * @param count how many IDs, 1 or more; of a transaction, how many objects
 * @param listed whether a count was named: then the answer is a list, even of one
 * @param variant the scheme's parameter, as its {@code Parameter} gives it
 * @param transaction whether an ID of the whole comes before those of its objects
 */
public record Order(int count, boolean listed, Variant variant, boolean transaction) {
    /** The largest count that is collected, to be answered as a whole or not at all. */
    public static final int LARGEST_COLLECTED = 10_000;

    /** The order for {@code count} IDs of a variant. */
    public static Order of(Scheme<?> scheme, int count, boolean listed, Variant variant) {
        return new Order(count, listed, variant, scheme.grouped(variant));
    }

    /**
     * Draws all of it, up to {@code chunkIds} IDs at a time, in constant memory. A transaction is one draw, which gives its IDs
     * one by one. Throws what {@link IdGenerator} throws; what the sink received until then is used up.
     *
     * @param afterChunk run after each draw
     */
    public void draw(IdGenerator<?> generator, int chunkIds, IdSink sink, Runnable afterChunk) {
        IdGenerator<?> ofVariant = generator.with(variant);
        int chunk = transaction ? count : chunkIds;
        for (int left = count; left > 0; left -= chunk) {
            ofVariant.next(Math.min(left, chunk), sink);
            afterChunk.run();
        }
    }

    /** How many IDs the answer has. */
    public int ids() {
        return transaction ? count + 1 : count;
    }

    /** Whether there are so many that the answer must be written while they are drawn. */
    public boolean streamed() {
        return count > LARGEST_COLLECTED;
    }
}
