package org.idallocator.dropwizard.ids;

import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;

/**
 * What one client asks of a scheme. Immutable, thread-safe.
 *
 * @param scheme the scheme
 * @param count the number of IDs, 1 or more; of a transaction, the number of its objects
 * @param listed whether the client named a count: then the answer is a list, even of one ID
 * @param variant what the client asks for beyond a count
 * @param form the form in which the IDs are written
 */
public record IdRequest<T extends Id>(Scheme<T> scheme, int count, boolean listed, Variant variant, Form<T> form) {
    /**
     * The largest count whose answer is made in memory, and given as a whole or not at all. A larger one is streamed.
     */
    public static final int LARGEST_WHOLE = 10_000;

    /** The name of the parameter that asks for a count. */
    public static final String COUNT = "count";

    /**
     * Draws all IDs, up to {@code chunkIds} at a time, in constant memory. A transaction is one draw, which gives its
     * IDs one by one. Throws what {@link IdGenerator} throws; the IDs that the sink received until then are used up.
     *
     * @param afterChunk runs whenever some IDs were drawn: after so many, and in each tick that gave fewer
     */
    public void draw(IdGenerator<?> generator, int chunkIds, IdSink sink, Runnable afterChunk) {
        IdGenerator<?> ofVariant = generator.with(variant);
        int chunk = isTransaction() ? count : chunkIds;
        int left = count;
        while (left > 0) {
            left -= ofVariant.nextUpTo(Math.min(left, chunk), sink);
            afterChunk.run();
        }
    }

    /** Whether the ID of a whole transaction comes before those of its objects. */
    boolean isTransaction() {
        return scheme.grouped(variant);
    }

    /** The number of IDs in the answer. */
    public int ids() {
        return isTransaction() ? count + 1 : count;
    }

    /** How many numbers of a scheme's ticks this takes: a transaction is one draw, whatever its objects. */
    long drawCount() {
        return isTransaction() ? 1 : count;
    }

    /** Whether there are so many IDs that the answer must be written while they are drawn. */
    public boolean isStreamed() {
        return count > LARGEST_WHOLE;
    }

    /** Writes the IDs in their form. */
    public IdEncoder encoder() {
        return IdEncoder.of(scheme, form);
    }
}
