package org.idallocator.zk.simulation;

import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import org.idallocator.zk.store.ForwardingStore;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Transaction;

/** A store that changes payloads on their way: those that are seen, and those that are sent. */
class ChangingStore extends ForwardingStore {
    ChangingStore(Store store) {
        super(store);
    }

    String seen(String path, String data) {
        return data;
    }

    String sent(String path, String data) {
        return data;
    }

    static ChangingStore of(Store store, BinaryOperator<String> seen, BinaryOperator<String> sent) {
        return new ChangingStore(store) {
            @Override
            String seen(String path, String data) {
                return seen.apply(path, data);
            }

            @Override
            String sent(String path, String data) {
                return sent.apply(path, data);
            }
        };
    }

    @Override
    public Optional<Node> read(String path) {
        return super.read(path).map(node -> with(node, seen(path, node.data()), node.leaderMillis()));
    }

    @Override
    public Outcome.Sent send(Transaction transaction) {
        List<Op> ops = changed(transaction.ops(), this::sent);
        return super.send(new Transaction(ops, transaction.on(), null)); // whoever reads back asks this store
    }

    static Node with(Node node, String data, long leaderMillis) {
        return new Node(data, node.version(), node.owner(), node.childrenDeleted(), leaderMillis);
    }

    static List<Op> changed(List<Op> ops, BinaryOperator<String> change) {
        return ops.stream().map(op -> changed(op, change)).toList();
    }

    private static Op changed(Op op, BinaryOperator<String> change) {
        if (op instanceof Op.Write write) {
            return new Op.Write(op.path(), change.apply(op.path(), write.data()), write.version());
        }
        return op instanceof Op.Create create
                ? new Op.Create(op.path(), change.apply(op.path(), create.data()), create.ephemeral())
                : op;
    }
}
