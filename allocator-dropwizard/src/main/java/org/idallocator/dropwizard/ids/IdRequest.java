package org.idallocator.dropwizard.ids;

import java.util.Optional;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;

/**
 * A client's request for IDs of a scheme. Immutable, thread-safe.
 *
 * @param scheme the scheme
 * @param count the number of IDs, 1 or more; for a transaction, the number of its objects
 * @param listed whether the client named a count; then the answer is a list, even of one ID
 * @param variant what the client asks for beyond a count
 * @param form the form in which the IDs are written
 * @param after an ID that the client has seen, and that all of these have to sort after; empty where they need not
 */
public record IdRequest<T extends Id>(
        Scheme<T> scheme, int count, boolean listed, Variant variant, Form<T> form, Optional<T> after) {
    /**
     * The largest count, inclusive, whose answer is made in memory, and so sent whole or not at all. A larger answer is
     * streamed.
     */
    public static final int LARGEST_WHOLE = 10_000;

    /** The name of the parameter that asks for a count. */
    public static final String COUNT = "count";

    /** The name of the parameter that asks for IDs which sort after one. */
    public static final String AFTER = "after";

    /** A request for IDs that need not sort after one. */
    public IdRequest(Scheme<T> scheme, int count, boolean listed, Variant variant, Form<T> form) {
        this(scheme, count, listed, variant, form, Optional.empty());
    }

    /**
     * Draws all IDs, up to {@code chunkIds} at a time, in constant memory. A transaction is one draw, whose IDs reach
     * the sink one by one. Throws what {@link IdGenerator} throws; IDs that the sink has got by then are used up.
     *
     * @param afterChunk runs each time some IDs were drawn: a whole chunk, or fewer where a tick gave fewer
     */
    public void draw(IdGenerator<?> generator, int chunkIds, IdSink sink, Runnable afterChunk) {
        IdGenerator<T> ofVariant = generator.with(variant).as(scheme.type().reader());
        Draw draw = after.<Draw>map(seen -> ofVariant.after(seen)::nextUpTo).orElse(ofVariant::nextUpTo);
        int chunk = isTransaction() ? count : chunkIds;
        int left = count;
        while (left > 0) {
            left -= draw.nextUpTo(Math.min(left, chunk), sink);
            afterChunk.run();
        }
    }

    /** Draws some IDs: {@link IdGenerator#nextUpTo}, or the same after an ID. */
    private interface Draw {
        int nextUpTo(int count, IdSink sink);
    }

    /** Whether this is a transaction: the transaction's own ID then comes before those of its objects. */
    boolean isTransaction() {
        return scheme.grouped(variant);
    }

    /** The number of IDs in the answer. */
    public int ids() {
        return isTransaction() ? count + 1 : count;
    }

    /** How many numbers of the scheme's ticks this takes: 1 for a transaction, however many objects it has. */
    long drawCount() {
        return isTransaction() ? 1 : count;
    }

    /** Whether the answer is so large that it is written while its IDs are drawn. */
    public boolean isStreamed() {
        return count > LARGEST_WHOLE;
    }

    /** The encoder of the form. */
    public IdEncoder encoder() {
        return IdEncoder.of(scheme, form);
    }
}
