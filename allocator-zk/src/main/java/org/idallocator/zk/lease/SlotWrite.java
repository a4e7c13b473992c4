package org.idallocator.zk.lease;

import java.util.List;
import java.util.Optional;
import org.idallocator.zk.store.Store;

/**
 * What one transaction does with one slot.
 *
 * @param ops in order; all of them hold, or none is applied
 * @param record the write of the slot's record among them; empty where the record stays as it is
 */
record SlotWrite(List<Store.Op> ops, Optional<RecordWrite> record) {}
