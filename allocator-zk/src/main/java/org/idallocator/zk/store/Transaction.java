package org.idallocator.zk.store;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.List;
import org.idallocator.zk.store.Store.Op;
import org.jspecify.annotations.Nullable;

/**
 * Operations of which ZooKeeper applies all or none.
 *
 * @param ops at least one, in order
 * @param on the session that they are to be sent on; null where any session will do
 * @param witness tells, where the answer is lost, whether they were applied; null where sending them again does no harm
 */
public record Transaction(
        List<Op> ops, @Nullable Session on, @Nullable Witness witness) {

    public Transaction {
        checkArgument(!ops.isEmpty(), "a transaction must have an operation");
        ops = List.copyOf(ops);
        // what does not say which version it leaves proves nothing by the version that is there
        checkArgument(witness == null || ops.get(witness.op()).leaves().isPresent(), "no witness: %s", witness);
    }

    /** These operations on any session, without a witness. */
    public static Transaction of(List<Op> ops) {
        return new Transaction(ops, null, null);
    }

    /** The same on this session only: on another one, nothing is sent. */
    public Transaction on(Session session) {
        return new Transaction(ops, session, witness);
    }

    /** The same, with a node as its witness that no other transaction makes. */
    public Transaction witnessedBy(Op.Create made) {
        return new Transaction(ops, on, new Witness.OwnNode(ops.indexOf(made)));
    }

    /** The same, with a text as its witness that no other transaction writes: {@code written} contains it. */
    public Transaction witnessedBy(Op written, String text) {
        return new Transaction(ops, on, new Witness.OwnText(ops.indexOf(written), text));
    }

    /** The node that the last operation is about, by which the transaction is called. */
    String path() {
        return ops.get(ops.size() - 1).path();
    }
}
