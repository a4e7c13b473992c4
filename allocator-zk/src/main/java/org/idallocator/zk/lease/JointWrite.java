package org.idallocator.zk.lease;

import java.util.ArrayList;
import java.util.List;
import org.idallocator.zk.epoch.Incarnations;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Outcome.Applied;
import org.idallocator.zk.store.Outcome.NotApplied;
import org.idallocator.zk.store.Outcome.Unknown;
import org.idallocator.zk.store.Session;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Znodes;

/**
 * Writes of one kind on several slots: one transaction, which depends on meta. Where what is written on one slot does not fit, that
 * slot is left out, and the others are sent again. Confined to the lease loop's thread.
 *
 * @param <T> what each of the writes is for
 */
abstract class JointWrite<T> {
    private final Znodes nodes;
    private final Incarnations.Seen meta;

    /** Writes that depend on {@code meta}. */
    JointWrite(Znodes nodes, Incarnations.Seen meta) {
        this.nodes = nodes;
        this.meta = meta;
    }

    /**
     * What is to be written, for each of these in their order. It is asked for anew for each transaction, so that no two transactions
     * have the same bits: a copy of this process that is made between the two knows only those of the first.
     */
    abstract List<SlotWrite> writes(List<T> all);

    /** All was applied. */
    abstract void applied(List<T> all, List<SlotWrite> writes, Applied outcome);

    /** One of the writes did not fit, so that nothing was applied. Returns whether it is to be sent once more beside the others. */
    abstract boolean refused(T one, Store.Op op, NotApplied outcome);

    /** ZooKeeper does not allow this write to this client. */
    abstract void forbidden(T one, StoreException why);

    /**
     * Sends them all, on this session.
     *
     * @throws ChangedMeanwhileException when meta has changed
     * @throws StoreException when ZooKeeper does not answer; what was sent may have been applied, or may be yet
     */
    final void send(List<T> all, Session session) {
        List<T> left = new ArrayList<>(all);
        while (!left.isEmpty()) {
            List<SlotWrite> writes = writes(left);
            Transaction transaction = transaction(writes).on(session);
            Outcome outcome;
            try {
                outcome = nodes.store().commit(transaction);
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.NO_PERMISSION) {
                    throw e;
                }
                sendApart(left, session, e);
                return;
            }
            if (outcome instanceof Applied applied) {
                applied(left, writes, applied);
                return;
            }
            if (outcome instanceof Unknown lost) {
                throw lost.trouble();
            }
            leaveOut(left, writes, (NotApplied) outcome);
        }
    }

    private Transaction transaction(List<SlotWrite> writes) {
        List<Store.Op> ops = meta.checks(nodes.tree());
        writes.forEach(write -> ops.addAll(write.ops()));
        Transaction transaction = Transaction.of(ops);
        return writes.stream()
                .flatMap(write -> write.record().stream())
                .findFirst()
                .map(record ->
                        transaction.witnessedBy(record.op(), record.record().mark()))
                .orElse(transaction);
    }

    private void leaveOut(List<T> left, List<SlotWrite> writes, NotApplied outcome) {
        int op = outcome.op() - meta.checks(nodes.tree()).size();
        if (op < 0) {
            throw new ChangedMeanwhileException(nodes.tree().meta() + ": " + outcome.why());
        }
        for (int i = 0; i < writes.size(); i++) {
            List<Store.Op> ops = writes.get(i).ops();
            if (op < ops.size()) {
                if (!refused(left.get(i), ops.get(op), outcome)) {
                    left.remove(i);
                }
                return;
            }
            op -= ops.size();
        }
    }

    /** Nobody knows which of them is not allowed: so each is sent by itself. */
    private void sendApart(List<T> all, Session session, StoreException why) {
        if (all.size() == 1) {
            forbidden(all.get(0), why);
        } else {
            all.forEach(one -> send(List.of(one), session));
        }
    }
}
