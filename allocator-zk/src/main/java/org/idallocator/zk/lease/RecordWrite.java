package org.idallocator.zk.lease;

import org.idallocator.zk.store.Store;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;

/**
 * The write of a slot's record, conditional on the version that was seen: a tenure writes its record in this way and in
 * no other.
 *
 * @param op as it is sent
 * @param record what is written, with the bits of this write
 */
record RecordWrite(Store.Op.Write op, SlotRecord record) {

    static RecordWrite of(Tree tree, Slot slot, SlotRecord record, int version) {
        return new RecordWrite(new Store.Op.Write(tree.record(slot), Json.write(record), version), record);
    }

    /** The version that the record has once this was applied. */
    int leaves() {
        return op.leaves().orElseThrow();
    }
}
