package org.idallocator.zk.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
        Outcome outcome = nodes.store().commit(transaction().on(session));
        if (outcome instanceof NotApplied refused) {
            if (refused.op() < metaChecks.size()) {
                throw new ChangedMeanwhileException(nodes.tree().meta() + ": " + refused.why());
            }
            return refusal(refused.op(), Optional.empty());
        }
        if (outcome instanceof Forbidden refused) {
            if (refused.op() < metaChecks.size()) {
                throw refused.trouble();
            }
            return refusal(refused.op(), Optional.of(refused.trouble()));
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

    /** {@code culprit} is the index of an operation on a slot. */
    private JointOutcome refusal(int culprit, Optional<StoreException> forbidden) {
        int op = culprit - metaChecks.size();
        int write = 0;
        while (op >= writes.get(write).ops().size()) {
            op -= writes.get(write).ops().size();
            write++;
        }
        return new JointOutcome.Refused(write, writes.get(write).ops().get(op), forbidden);
    }
}
