package org.idallocator.zk.store;

/** By what whoever reads back knows that a transaction was applied. */
public sealed interface Witness {

    /** Which of the transaction's operations leaves it, by its index. */
    int op();

    /** Whether a node has it, which has the version that the operation leaves. */
    boolean isIn(Store.Node node);

    /**
     * A node that no other transaction makes: that it is there is enough.
     *
     * @param op the index of a {@link Store.Op.Create}
     */
    record OwnNode(int op) implements Witness {
        @Override
        public boolean isIn(Store.Node node) {
            return true;
        }
    }

    /**
     * A text that no other transaction writes.
     *
     * @param op the index of a {@link Store.Op.Create}, or of a {@link Store.Op.Write} that is conditional on a version
     * @param text what the node's data contains then
     */
    record OwnText(int op, String text) implements Witness {
        @Override
        public boolean isIn(Store.Node node) {
            return node.data().contains(text);
        }
    }
}
