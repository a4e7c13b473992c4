package org.idallocator.zk.operator;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;

/**
 * Finds out whether ZooKeeper would allow a transaction, and changes nothing. The transaction is sent with one more
 * operation, which cannot succeed. So ZooKeeper either forbids the client one before that, or comes to that, and
 * applies nothing.
 */
final class Rights {
    private static final String DOCTOR = "doctor"; // who makes the nodes

    private final Znodes nodes;

    /** {@code nodes} are on the connection of the client whose rights these are. */
    Rights(Znodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Requires that this client may do all of this, and may make and delete nodes below these parents, which are the
     * root or below it. The parents that are missing are made, too.
     *
     * @param ops are asked last: where a condition does not hold now, nothing that comes after it is asked. The right
     *     to write a node is asked before the node's version is. The nodes below the parents have names that nothing
     *     has, so that all of them are asked
     * @param path where all of it is, or below
     * @throws FencedException {@code NO_PERMISSION} where ZooKeeper forbids one of them
     */
    void require(List<Store.Op> ops, List<String> parents, String path) {
        List<Store.Op> dry = new ArrayList<>();
        Set<String> made = new HashSet<>();
        for (String parent : parents) {
            make(parent, made, dry);
            String child = Tree.newChild(parent, DOCTOR);
            dry.add(Store.Op.Create.ephemeral(child, ""));
            dry.add(Store.Op.Delete.whateverVersion(child));
        }
        dry.addAll(ops);
        dry.add(Store.Op.Check.exists(Tree.newChild(nodes.tree().root(), DOCTOR)));
        try {
            if (nodes.store().send(Transaction.of(dry)).wasApplied()) {
                throw new IllegalStateException("a node of a random name exists: " + dry);
            }
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.NO_PERMISSION) {
                throw FencedException.of(FenceReason.NO_PERMISSION, path);
            }
            throw e;
        }
    }

    private void make(String path, Set<String> made, List<Store.Op> ops) {
        if (!path.isEmpty() && !nodes.exists(path) && made.add(path)) {
            make(path.substring(0, path.lastIndexOf('/')), made, ops);
            ops.add(Store.Op.Create.persistent(path));
        }
    }
}
