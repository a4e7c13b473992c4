package org.idallocator.zk.simulation;

import java.util.Optional;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.simulation.PoolEras.Dependence;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Store.Op;
import org.idallocator.zk.znode.SlotRecord;

/**
 * A write of a slot's record, as a process sends it.
 *
 * @param op writes the record, or makes it
 * @param data what is written
 * @param record the same, as this version has it
 * @param first whether the transaction makes the record, so that it depends on there being none
 * @param seen the record as the process has read it last; empty where it has read none
 * @param claiming the tenure that claims the slot by this; empty where this is no claim
 * @param on what else it depends on
 * @param terms those by which the process reserves
 */
record RecordRequest(
        Op op,
        String data,
        SlotRecord record,
        boolean first,
        Optional<Store.Node> seen,
        Optional<MonitoredTenure> claiming,
        Dependence on,
        Terms terms) {

    /** What a write is for. */
    enum Purpose {
        CLAIM,
        RENEWAL,
        /** Makes anew what ZooKeeper has lost, in the transaction by which meta goes. */
        PROOF,
        /** Sets the record down, or raises it. */
        RELEASE,
        RETIREMENT,
        RETURN
    }

    Purpose purpose() {
        if (claiming.isPresent()) {
            return Purpose.CLAIM;
        }
        if (record.isRetired()) {
            return Purpose.RETIREMENT;
        }
        if (record.nonce().startsWith("unretired-")) {
            return Purpose.RETURN;
        }
        if (record.released()) {
            return Purpose.RELEASE;
        }
        return makes() ? Purpose.PROOF : Purpose.RENEWAL;
    }

    /** Whether this makes the record, and does not only write it. */
    boolean makes() {
        return op instanceof Op.Create;
    }

    /** Whether this depends on there being no record, or on the record's version. */
    boolean isConditional() {
        return first || (op instanceof Op.Write write && write.version().isPresent());
    }

    /** The tenure that the record is of, or what stands in its place. */
    String nonce() {
        return record.nonce();
    }
}
