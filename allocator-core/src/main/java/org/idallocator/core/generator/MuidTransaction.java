package org.idallocator.core.generator;

import java.util.concurrent.atomic.AtomicInteger;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.id.Muid;

/**
 * One transaction: a microsecond of a medallion, and the objects in it. Thread-safe; never waits once it has begun.
 *
 * <pre>{@code
 * MuidTransaction transaction = MuidTransaction.begin(allocator.muid());
 * Muid itself = transaction.id();      // offset 0
 * Muid object = transaction.next();    // offsets 1, 2, 3, ...
 * }</pre>
 *
 * <p>The times of one medallion's transactions rise strictly, whatever the clock does. So the IDs of one transaction
 * sort either all before or all after the IDs of another. The microsecond belongs to the transaction for ever, and
 * nobody else draws an object in it. So objects are unique, even if they are drawn when the tenure that began the
 * transaction is over.
 */
public final class MuidTransaction {
    /** How many objects a transaction can have. */
    public static final int MAX_SIZE = Muid.MAX_OFFSET;

    private final Muid id;
    private final AtomicInteger size = new AtomicInteger();

    private MuidTransaction(Muid id) {
        this.id = id;
    }

    /**
     * Begins a transaction in the next free microsecond. Waits and throws as {@link IdGenerator#next(int, IdSink)}
     * does.
     */
    public static MuidTransaction begin(IdGenerator<Muid> muids) {
        return new MuidTransaction(muids.with(MuidGenerator.TRANSACTION).next().transaction());
    }

    /**
     * The same for a transaction that sorts, with all of its objects, after the ID that was seen. Waits and throws as
     * {@link IdsAfter#next(int, IdSink)} does.
     */
    public static MuidTransaction begin(IdsAfter<Muid> muids) {
        return new MuidTransaction(muids.with(MuidGenerator.TRANSACTION).next().transaction());
    }

    /** The transaction's own ID, with offset 0. */
    public Muid id() {
        return id;
    }

    /**
     * The ID of the next object: offsets 1 to {@link #MAX_SIZE}, in this order.
     *
     * @throws IllegalStateException when all of them are used up
     */
    public Muid next() {
        int before = size.getAndUpdate(taken -> Math.min(taken + 1, MAX_SIZE));
        if (before == MAX_SIZE) {
            throw new IllegalStateException(
                    "transaction " + id + " has all its " + MAX_SIZE + " objects; begin another");
        }
        return Muid.of(id.timestampUs(), id.medallion(), before + 1);
    }

    /** How many objects the transaction has so far, 0 to {@link #MAX_SIZE}. */
    public int size() {
        return size.get();
    }
}
