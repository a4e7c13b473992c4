package org.idallocator.zk;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.SlotPool;

/**
 * Sees to it that all replicas cut a pool into the same slots: the first one writes its layout down, and a replica that is
 * configured otherwise serves nothing from that pool.
 */
final class Layouts {
    private final Store store;
    private final Tree tree;

    Layouts(Store store, Tree tree) {
        this.store = store;
        this.tree = tree;
    }

    /**
     * The version of the layout node, which agrees with the configuration and is made when there is none.
     *
     * @throws org.idallocator.core.fence.FencedException {@code LAYOUT_MISMATCH} with both layouts
     */
    int agreed(SlotPool pool) {
        store.ensure(tree.leases(pool)); // somebody who removes it frees every slot; it has to come back
        if (pool.choice() == SlotPool.Choice.INDEX) {
            store.ensure(tree.index(pool));
        }
        String path = tree.layout(pool);
        Optional<Store.Node> node = store.read(path);
        if (node.isEmpty()) {
            make(pool);
            node = store.read(path);
        }
        Store.Node found = node.orElseThrow(
                () -> new StoreException(StoreException.Kind.CONFLICT, path + " was removed while it was read"));
        JsonNode theirs = Json.read(path, found.data(), JsonNode.class);
        JsonNode ours = Json.read(path, Json.write(pool.layout()), JsonNode.class);
        if (!theirs.equals(ours)) {
            throw Fencing.of(FenceReason.LAYOUT_MISMATCH, path + " is " + theirs + ", configured is " + ours);
        }
        return found.version();
    }

    private void make(SlotPool pool) {
        store.ensure(tree.records(pool)); // only here: records that are gone may not be taken for slots never used
        try {
            store.multi(List.of(new Store.Op.Create(tree.layout(pool), Json.write(pool.layout()), false)));
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.CONFLICT) {
                throw e;
            }
            // another replica was first; its layout is compared like any
        }
    }
}
