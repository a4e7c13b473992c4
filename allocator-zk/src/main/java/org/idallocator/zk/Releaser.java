package org.idallocator.zk;

import java.util.List;
import org.idallocator.core.scheme.SlotPool;

/**
 * Gives a slot back: issuing ends, the record goes down to the last tick that was used, and the lease goes, in one
 * transaction that is conditional on the record's version. The next tenure may start on the very next tick.
 */
final class Releaser {
    private final Store store;
    private final Tree tree;

    Releaser(Store store, Tree tree) {
        this.store = store;
        this.tree = tree;
    }

    /**
     * Releases a tenure whose fence has fallen; it is closed first, so that no tick above the returned one can be issued.
     *
     * @throws StoreException when it may not have happened; the same call may be made again after the slot was resolved
     */
    void release(Tenure tenure) {
        SlotPool pool = tenure.pool();
        long last = tenure.generator().close();
        SlotRecord record =
                new SlotRecord(SlotRecord.VERSION, last, pool.unit().instantAt(last + 1), tenure.nonce(), true);
        store.multi(List.of(
                new Store.Op.Write(tree.record(pool, tenure.slot()), Json.write(record), tenure.recordVersion()),
                new Store.Op.Delete(tree.lease(pool, tenure.slot()), -1)));
    }
}
