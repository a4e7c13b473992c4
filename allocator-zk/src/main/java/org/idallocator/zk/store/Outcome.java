package org.idallocator.zk.store;

import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;

/** What became of a {@link Transaction}, as far as that is known. */
public sealed interface Outcome {

    /**
     * All operations were applied.
     *
     * @param written what each {@link Store.Op.Write} left behind, in order; where it was read back, what the witness left
     * @param readBack whether the answer was lost, and reading back has told
     */
    record Applied(List<Store.Written> written, boolean readBack) implements Outcome {

        public Applied {
            written = List.copyOf(written);
        }

        /** The wall clock of ZooKeeper's leader at the transaction; one operation at least was a write, or the witness. */
        public long leaderMillis() {
            return written.get(0).leaderMillis();
        }
    }

    /**
     * None of the operations was applied, nor ever will be.
     *
     * @param op the index of the operation that did not fit; those before it would have
     * @param why what did not fit
     */
    record NotApplied(int op, Misfit why) implements Outcome {}

    /**
     * None of the operations was applied, nor ever will be, because ZooKeeper does not allow this client one of them.
     *
     * @param op the index of that operation
     * @param trouble {@code NO_PERMISSION}, for whoever goes no further
     */
    record Forbidden(int op, StoreException trouble) implements Outcome {}

    /**
     * They may have been applied, or may be yet: the request or its answer was lost, or is late.
     *
     * @param trouble why there is no answer
     */
    record Unknown(StoreException trouble) implements Outcome {}

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
    default boolean applied() {
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
        if (this instanceof NotApplied) {
            throw new ChangedMeanwhileException(what);
        }
        requireAnswer();
        return (Applied) this;
    }

    /**
     * Requires that ZooKeeper has answered, and allows it: then it is known whether the transaction was applied. For whoever goes on
     * alike in either case.
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
