package org.idallocator.zk.era;

import java.util.List;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Znodes;

/**
 * Makes the nodes below the root that others are made below, each in a transaction that depends on one meta. So a root
 * that was emptied stays empty until somebody begins an incarnation, however late requests of the old incarnation
 * arrive.
 */
public final class Parents {
    private final Znodes nodes;
    private final Incarnation meta;

    /** {@code meta} is what all that is made depends on. */
    public Parents(Znodes nodes, Incarnation meta) {
        this.nodes = nodes;
        this.meta = meta;
    }

    /**
     * Makes sure that a PERSISTENT node below the root exists, and every node between the two.
     *
     * @throws ChangedMeanwhileException when meta is not what ZooKeeper has any more
     */
    public void ensure(String path) {
        if (!nodes.exists(path)) {
            nodes.tree().parents(path).forEach(this::make);
            make(path);
        }
    }

    private void make(String path) {
        if (nodes.exists(path)) { // who makes it may lack the right to make others beside it
            return;
        }
        Store.Op.Create made = Store.Op.Create.persistent(path);
        List<Store.Op> ops = meta.checks(nodes.tree(), made);
        Outcome outcome = nodes.store().send(Transaction.of(ops));
        boolean anotherWasFirst = outcome.equals(new Outcome.NotApplied(ops.indexOf(made), Outcome.Misfit.EXISTS));
        if (!anotherWasFirst) {
            outcome.requireApplied(path + " cannot be made: meta has changed meanwhile");
        }
    }
}
