package org.idallocator.zk.operator;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.StoreException.Kind;
import org.idallocator.zk.znode.Slot;

/**
 * Tries a conditional write of a command until it is known what came of it. Where somebody else wrote meanwhile, or the answer
 * was lost, the next try looks again. What was sent cannot be made after the next try has written: both depend on the same
 * version. Not thread-safe.
 */
final class ConditionalWrite {
    private static final int TRIES = 10;

    private final Slot slot;
    private boolean unanswered;

    ConditionalWrite(Slot slot) {
        this.slot = slot;
    }

    /** The result where ZooKeeper said that all of this is written. Where it did not, the next try has to look what became of it. */
    <T> Optional<T> written(Store store, List<Store.Op> ops, T result) {
        unanswered = false;
        try {
            return store.attempt(ops) ? Optional.of(result) : Optional.empty();
        } catch (StoreException e) {
            unanswered = e.unanswered();
            if (unanswered) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Tries until there is a result.
     *
     * @throws StoreException {@code UNCERTAIN} when the answer to a write was lost, and nobody can look what became of it; {@code
     *     CONFLICT} when others wrote again and again
     */
    <T> T until(Supplier<Optional<T>> attempt) {
        try {
            return Stream.generate(attempt)
                    .limit(TRIES)
                    .flatMap(Optional::stream)
                    .findFirst()
                    .orElseThrow(() -> new StoreException(
                            Kind.CONFLICT, slot + " was written again and again meanwhile; look, and try again"));
        } catch (StoreException | FencedException e) {
            if (!unanswered) {
                throw e;
            }
            String why =
                    slot + " may have been changed, or may be changed yet: the answer to the write was lost; look with"
                            + " leases show, and run the command again where need be: " + e.getMessage();
            throw new StoreException(Kind.UNCERTAIN, why, e);
        }
    }
}
