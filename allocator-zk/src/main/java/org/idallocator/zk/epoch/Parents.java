package org.idallocator.zk.epoch;

import java.util.ArrayList;
import java.util.List;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/**
 * Makes the PERSISTENT, empty parents of other nodes, each in a transaction that depends on meta: so a root that was emptied
 * stays empty until somebody begins an incarnation, however late the requests of the old one arrive.
 */
public final class Parents {
    private final Store store;
    private final Tree tree;

    public Parents(Store store, Tree tree) {
        this.store = store;
        this.tree = tree;
    }

    /**
     * Makes sure that a node below the root exists, and all between.
     *
     * @throws StoreException {@code CONFLICT} when meta is not the one that was seen any more
     */
    public void ensure(String path, Root.Seen meta) {
        if (store.read(path).isPresent()) {
            return;
        }
        for (int slash = path.indexOf('/', tree.root().length() + 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            make(path.substring(0, slash), meta);
        }
        make(path, meta);
    }

    private void make(String path, Root.Seen meta) {
        if (store.read(path).isPresent()) {
            return;
        }
        List<Store.Op> ops = new ArrayList<>(meta.checks(tree));
        ops.add(new Store.Op.Create(path, "", false));
        try {
            store.multi(ops);
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.CONFLICT || store.read(path).isEmpty()) {
                throw e;
            }
            // another replica was first
        }
    }
}
