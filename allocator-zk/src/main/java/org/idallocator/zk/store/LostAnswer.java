package org.idallocator.zk.store;

import java.util.OptionalInt;
import org.idallocator.zk.store.Outcome.FoundApplied;
import org.idallocator.zk.store.Outcome.Misfit;
import org.idallocator.zk.store.Outcome.NotApplied;
import org.idallocator.zk.store.Outcome.Unknown;
import org.idallocator.zk.store.Store.Node;
import org.idallocator.zk.store.Store.Op;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A transaction whose answer is lost. Finds out what became of it, by the witness that it leaves. */
final class LostAnswer {
    private static final Logger LOG = LoggerFactory.getLogger(LostAnswer.class);

    private final Store store;
    private final Transaction transaction;
    private final Unknown lost;

    /**
     * Asks nobody yet.
     *
     * @param store where the transaction was sent
     * @param transaction what was sent
     * @param lost the outcome as far as it is known
     */
    LostAnswer(Store store, Transaction transaction, Unknown lost) {
        this.store = store;
        this.transaction = transaction;
        this.lost = lost;
    }

    /**
     * Reads the witness back. Where the node is as it was before, the request may still be on its way; where it was
     * written again, the witness is gone: then nobody knows, and neither does anybody where there is no answer this
     * time, or no witness.
     */
    Outcome readBack() {
        Witness witness = transaction.witness();
        if (witness == null) {
            return lost;
        }
        Op op = transaction.ops().get(witness.op());
        try {
            store.sync(op.path());
            return store.read(op.path()).map(node -> judge(op, node, witness)).orElse(lost);
        } catch (StoreException e) {
            LOG.debug("{} cannot be read back", op.path(), e);
            return lost;
        }
    }

    private Outcome judge(Op op, Node node, Witness witness) {
        if (!op.leaves().equals(OptionalInt.of(node.version()))) {
            return lost;
        }
        // this version is used up: by this transaction, or by another
        return witness.isIn(node)
                ? new FoundApplied(node.leaderMillis())
                : new NotApplied(witness.op(), op instanceof Op.Write ? Misfit.VERSION : Misfit.EXISTS);
    }
}
