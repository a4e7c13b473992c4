package org.idallocator.zk.operator;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether ZooKeeper would allow a transaction, and changes nothing. The transaction is sent with one more operation,
 * which cannot succeed. So ZooKeeper either refuses the client before that, or comes to that, and applies nothing.
 */
final class Rights {
    private static final Logger LOG = LoggerFactory.getLogger(Rights.class);

    private final Nodes nodes;

    Rights(Nodes nodes) {
        this.nodes = nodes;
    }

    /** Whether this client may do all of this. True also where another condition than the client's rights does not hold. */
    boolean allow(List<Store.Op> ops) {
        List<Store.Op> dry = new ArrayList<>(ops);
        dry.add(new Store.Op.Check(nodes.tree().root() + "/doctor-" + UUID.randomUUID(), -1));
        try {
            nodes.store().multi(dry);
            throw new IllegalStateException("a node of a random name exists: " + dry);
        } catch (StoreException e) {
            LOG.debug("nothing was applied", e);
            if (e.kind() == StoreException.Kind.CONFLICT) {
                return true;
            }
            if (e.kind() == StoreException.Kind.NO_PERMISSION) {
                return false;
            }
            throw e;
        }
    }

    /** The operations that make a node below the root and delete it again, with the parents that are missing. */
    List<Store.Op> making(String path) {
        List<Store.Op> ops = new ArrayList<>();
        String root = nodes.tree().root();
        for (int slash = path.indexOf('/', root.length() + 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            String parent = path.substring(0, slash);
            if (!nodes.exists(parent)) {
                ops.add(new Store.Op.Create(parent, "", false));
            }
        }
        ops.add(new Store.Op.Create(path, "", true));
        ops.add(new Store.Op.Delete(path, -1));
        return ops;
    }
}
