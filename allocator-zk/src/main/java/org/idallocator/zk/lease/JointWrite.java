package org.idallocator.zk.lease;

import java.util.ArrayList;
import java.util.List;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Outcome.Applied;
import org.idallocator.zk.store.Outcome.Forbidden;
import org.idallocator.zk.store.Outcome.NotApplied;
import org.idallocator.zk.store.Outcome.Unknown;
import org.idallocator.zk.store.Session;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Znodes;

/** Writes on several slots in one transaction, which depends on meta: all of them are applied, or none. */
final class JointWrite {
    private final Znodes nodes;
    private final List<Store.Op> metaChecks;
    private final List<SlotWrite> writes;

    /** {@code writes} has at least one. */
    JointWrite(Znodes nodes, Incarnation meta, List<SlotWrite> writes) {
        this.nodes = nodes;
        this.metaChecks = meta.checks(nodes.tree());
        this.writes = List.copyOf(writes);
    }

    /**
     * Sends it, once, on this session.
     *
     * @throws ChangedMeanwhileException when meta has changed; nothing was applied
     * @throws StoreException when ZooKeeper does not answer; what was sent may have been applied, or may be yet
     */
    JointOutcome send(Session session) {
        Transaction transaction = transaction();
        Outcome outcome = nodes.store().commit(transaction.on(session));
        if (outcome instanceof NotApplied refused) {
            if (refused.op() < metaChecks.size()) {
                throw new ChangedMeanwhileException(nodes.tree().meta() + ": " + refused.why());
            }
            return new JointOutcome.Misfit(
                    writeWith(refused.op()), transaction.ops().get(refused.op()));
        }
        if (outcome instanceof Forbidden refused) {
            if (refused.op() < metaChecks.size()) {
                throw refused.trouble();
            }
            return new JointOutcome.Forbidden(writeWith(refused.op()), refused.trouble());
        }
        if (outcome instanceof Unknown lost) {
            throw lost.trouble();
        }
        return new JointOutcome.Applied((Applied) outcome);
    }

    private Transaction transaction() {
        List<Store.Op> ops = new ArrayList<>(metaChecks);
        writes.forEach(write -> ops.addAll(write.ops()));
        Transaction transaction = Transaction.of(ops);
        return writes.stream()
                .flatMap(write -> write.record().stream())
                .findFirst()
                .map(record ->
                        transaction.witnessedBy(record.op(), record.record().mark()))
                .orElse(transaction);
    }

    /** The index of the write that this operation is of, by the operation's index in the transaction. */
    private int writeWith(int op) {
        int write = 0;
        int end = metaChecks.size() + writes.get(0).ops().size(); // exclusive
        while (op >= end) {
            write++;
            end += writes.get(write).ops().size();
        }
        return write;
    }
}
