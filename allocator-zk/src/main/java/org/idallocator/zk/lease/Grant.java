package org.idallocator.zk.lease;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.OptionalLong;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;

/**
 * What a claim of a slot asks for, as it is sent.
 *
 * @param nonce names the tenure
 * @param generation the pool's generation under which the slot is claimed
 * @param endNanos the monotonic instant at which the pool's longest tenure ends, exclusive; empty where tenures may
 *     last for ever
 * @param kept the fields of later versions that the slot's record had; every write of the tenure keeps them
 */
record Grant(Slot slot, String nonce, String generation, OptionalLong endNanos, Map<String, JsonNode> kept) {

    /** The record by which the tenure reserves every tick up to {@code ceiling}, inclusive. */
    SlotRecord reserving(long ceiling) {
        return SlotRecord.reserved(slot.unit(), ceiling, nonce).keeping(kept);
    }

    /** The record that the tenure leaves when it ends in order, at {@link Tenure#endTick}. */
    SlotRecord leaving(long endTick) {
        return SlotRecord.released(slot.unit(), endTick, nonce).keeping(kept);
    }
}
