package org.idallocator.zk.operator;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/**
 * Finds out whether ZooKeeper would allow a transaction, and changes nothing. The transaction is sent with one more operation,
 * which cannot succeed. So ZooKeeper either refuses the client before that, or comes to that, and applies nothing.
 */
record Rights(Nodes nodes) {

    /**
     * Requires that this client may do all of this at {@code path} or below. Where an operation has another condition that does
     * not hold, what comes after that operation is not asked.
     *
     * @throws org.idallocator.core.fence.FencedException {@code NO_PERMISSION} where ZooKeeper refuses one of them
     */
    void require(List<Store.Op> ops, String path) {
        List<Store.Op> dry = new ArrayList<>(ops);
        dry.add(new Store.Op.Check(nodes.tree().root() + "/" + name(), -1));
        try {
            if (nodes.store().attempt(dry)) {
                throw new IllegalStateException("a node of a random name exists: " + dry);
            }
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.NO_PERMISSION) {
                throw Fencing.of(FenceReason.NO_PERMISSION, path);
            }
            throw e;
        }
    }

    /**
     * The operations that make a node in each of these parents, the root or below it, and delete it again, and that make the parents that
     * are missing. The nodes have names that nothing has, so that all of the operations are asked.
     */
    List<Store.Op> making(List<String> parents) {
        List<Store.Op> ops = new ArrayList<>();
        Set<String> made = new HashSet<>();
        for (String parent : parents) {
            make(parent, made, ops);
            String child = parent + "/" + name();
            ops.add(new Store.Op.Create(child, "", true));
            ops.add(new Store.Op.Delete(child, -1));
        }
        return ops;
    }

    private void make(String path, Set<String> made, List<Store.Op> ops) {
        if (!path.isEmpty() && !nodes.exists(path) && made.add(path)) {
            make(path.substring(0, path.lastIndexOf('/')), made, ops);
            ops.add(new Store.Op.Create(path, "", false));
        }
    }

    private static String name() {
        return "doctor-" + UUID.randomUUID();
    }
}
