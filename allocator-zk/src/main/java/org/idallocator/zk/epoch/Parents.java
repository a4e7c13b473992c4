package org.idallocator.zk.epoch;

import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the PERSISTENT, empty parents of other nodes, each in a transaction that depends on meta. So a root that was emptied
 * stays empty until somebody begins an incarnation, however late requests of the old incarnation arrive.
 */
public record Parents(Nodes nodes) {
    private static final Logger LOG = LoggerFactory.getLogger(Parents.class);

    /**
     * Makes sure that a node below the root exists, and every node between the two.
     *
     * @throws StoreException {@code CONFLICT} when {@code meta} is not what ZooKeeper has any more
     */
    public void ensure(String path, Root.Seen meta) {
        if (!nodes.exists(path)) {
            nodes.tree().parents(path).forEach(parent -> make(parent, meta));
            make(path, meta);
        }
    }

    private void make(String path, Root.Seen meta) {
        if (nodes.exists(path)) {
            return;
        }
        try {
            var unused = nodes.store().multi(meta.checks(nodes.tree(), new Store.Op.Create(path, "", false)));
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.CONFLICT || !nodes.exists(path)) {
                throw e;
            }
            LOG.debug("another replica made {} first", path, e);
        }
    }
}
