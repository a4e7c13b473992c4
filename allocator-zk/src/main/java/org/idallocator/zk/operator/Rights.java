package org.idallocator.zk.operator;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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

    /**
     * Whether this client may do all of this. True also where an operation has another condition that does not hold: what comes
     * after that operation is not asked.
     */
    boolean allow(List<Store.Op> ops) {
        List<Store.Op> dry = new ArrayList<>(ops);
        dry.add(new Store.Op.Check(nodes.tree().root() + "/" + name(), -1));
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

    /**
     * The operations that make a node in each of these parents, the root or below it, and delete it again, and that make the parents that
     * are missing. The nodes have names that nothing has, so that all of the operations are asked.
     */
    List<Store.Op> making(List<String> parents) {
        List<Store.Op> ops = new ArrayList<>();
        Set<String> made = new HashSet<>();
        for (String parent : parents) {
            for (String path : withParents(parent)) {
                if (!nodes.exists(path) && made.add(path)) {
                    ops.add(new Store.Op.Create(path, "", false));
                }
            }
            String child = parent + "/" + name();
            ops.add(new Store.Op.Create(child, "", true));
            ops.add(new Store.Op.Delete(child, -1));
        }
        return ops;
    }

    /** The path, and before it those of the nodes between it and the root; of the root itself, those above it. */
    private List<String> withParents(String path) {
        List<String> paths = new ArrayList<>();
        String root = nodes.tree().root();
        int above = path.equals(root) ? 0 : root.length();
        for (int slash = path.indexOf('/', above + 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            paths.add(path.substring(0, slash));
        }
        paths.add(path);
        return paths;
    }

    private static String name() {
        return "doctor-" + UUID.randomUUID();
    }
}
