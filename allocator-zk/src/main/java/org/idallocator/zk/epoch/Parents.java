package org.idallocator.zk.epoch;

import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Znodes;

/**
 * Makes the PERSISTENT, empty parents of other nodes, each in a transaction that depends on meta. So a root that was emptied
 * stays empty until somebody begins an incarnation, however late requests of the old incarnation arrive.
 */
public record Parents(Znodes nodes) {
    /**
     * Makes sure that a node below the root exists, and every node between the two.
     *
     * @throws StoreException {@code CONFLICT} when {@code meta} is not what ZooKeeper has any more
     */
    public void ensure(String path, Incarnations.Seen meta) {
        if (!nodes.exists(path)) {
            nodes.tree().parents(path).forEach(parent -> make(parent, meta));
            make(path, meta);
        }
    }

    private void make(String path, Incarnations.Seen meta) {
        Store.Op.Create made = new Store.Op.Create(path, "", false);
        // another replica may be first
        if (!nodes.exists(path) && !nodes.store().attempt(meta.checks(nodes.tree(), made)) && !nodes.exists(path)) {
            throw new StoreException(
                    StoreException.Kind.CONFLICT, path + " cannot be made: meta has changed meanwhile");
        }
    }
}
