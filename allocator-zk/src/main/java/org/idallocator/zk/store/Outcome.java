package org.idallocator.zk.store;

import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;

/** What became of a {@link Transaction}, as far as that is known. */
public sealed interface Outcome {

    /** What the answer to a transaction has said, or that there was none: nothing was read back. */
    sealed interface Sent extends Outcome {

        /**
         * What {@link Outcome#orChanged} returns: if the transaction was applied, ZooKeeper has said so.
         *
         * @throws ChangedMeanwhileException where nothing was applied
         * @throws StoreException the trouble, where it is not known, and {@code NO_PERMISSION}
         */
        default Confirmed confirmedOrChanged(String what) {
            return (Confirmed) orChanged(what);
        }
    }

    /** All operations were applied. */
    sealed interface Applied extends Outcome {

        /** The wall clock of ZooKeeper's leader at the transaction, in milliseconds since 1970. */
        long leaderMillis();
    }

    /**
     * All operations were applied, and ZooKeeper has answered that with a plain OK. So the transaction was made between
     * sending and answering.
     *
     * @param written what each {@link Store.Op.Write} left behind, in order
     */
    record Confirmed(List<Store.Written> written) implements Applied, Sent {

        public Confirmed {
            written = List.copyOf(written);
        }

        /** That of the first write: one operation at least was one. */
        @Override
        public long leaderMillis() {
            return written.get(0).leaderMillis();
        }
    }

    /**
     * All operations were applied: the answer was lost, but the witness was found when it was read back. How long ago
     * that was does not say how long the session lives, nor what ZooKeeper's time is now.
     */
    record FoundApplied(long leaderMillis) implements Applied {}

    /**
     * None of the operations was applied, nor ever will be.
     *
     * @param op the index of the operation that did not fit; those before it would have
     * @param why what did not fit
     */
    record NotApplied(int op, Misfit why) implements Sent {}

    /**
     * None of the operations was applied, nor ever will be, because ZooKeeper does not allow this client one of them.
     *
     * @param op the index of that operation
     * @param trouble {@code NO_PERMISSION}, for whoever goes no further
     */
    record Forbidden(int op, StoreException trouble) implements Sent {}

    /**
     * They may have been applied, or may be yet: the request or its answer was lost, or is late.
     *
     * @param trouble why there is no answer
     */
    record Unknown(StoreException trouble) implements Sent {}

    /** Why an operation did not fit what it found. */
    enum Misfit {
        /** There is no such node, or no parent of it. */
        MISSING(Code.NONODE),
        /** There is such a node already. */
        EXISTS(Code.NODEEXISTS),
        /** The node has another version. */
        VERSION(Code.BADVERSION),
        /** The node has children. */
        CHILDREN(Code.NOTEMPTY);

        private final Code code;

        Misfit(Code code) {
            this.code = code;
        }

        /** The misfit that ZooKeeper calls so; empty where its code says something else. */
        static Optional<Misfit> of(Code code) {
            return List.of(values()).stream()
                    .filter(misfit -> misfit.code == code)
                    .findFirst();
        }

        /** In ZooKeeper's own word, which people look for. */
        @Override
        public String toString() {
            return code.name();
        }
    }

    /**
     * Whether the transaction was applied. For whoever looks what is there now, or tries again, in either case.
     *
     * @throws StoreException the trouble, where it is not known, and {@code NO_PERMISSION}
     */
    default boolean wasApplied() {
        requireAnswer();
        return this instanceof Applied;
    }

    /**
     * What was applied. For whoever has read what the transaction depends on.
     *
     * @param what says, for people, what has changed meanwhile where nothing was applied
     * @throws ChangedMeanwhileException where nothing was applied
     * @throws StoreException the trouble, where it is not known, and {@code NO_PERMISSION}
     */
    default Applied orChanged(String what) {
        requireApplied(what);
        return (Applied) this;
    }

    /** Requires that the transaction was applied; throws what {@link #orChanged} throws. */
    default void requireApplied(String what) {
        if (this instanceof NotApplied) {
            throw new ChangedMeanwhileException(what);
        }
        requireAnswer();
    }

    /**
     * Requires that ZooKeeper has answered, and allows it: then it is known whether the transaction was applied. For
     * whoever goes on alike in either case.
     *
     * @throws StoreException the trouble, where it is not known, and {@code NO_PERMISSION}
     */
    default void requireAnswer() {
        if (this instanceof Unknown lost) {
            throw lost.trouble();
        }
        if (this instanceof Forbidden forbidden) {
            throw forbidden.trouble();
        }
    }
}
