package org.idallocator.zk.lease;

import java.util.List;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.SlotPool;

/** The slots that this replica is to hold, of all schemes. */
final class ReplicaSlots {
    private final List<SchemeSlots> schemes;

    /** {@code schemes} has one for each scheme with slots. */
    ReplicaSlots(List<SchemeSlots> schemes) {
        this.schemes = List.copyOf(schemes);
    }

    /** The keepers of all slots that this replica leases. */
    List<SlotKeeper> keepers() {
        return schemes.stream().flatMap(slots -> slots.keepers().stream()).toList();
    }

    /** The pools of all schemes. */
    List<SlotPool> pools() {
        return schemes.stream().map(SchemeSlots::pool).toList();
    }

    /** The tenures that serve. */
    List<Tenure> tenures() {
        return schemes.stream().flatMap(slots -> slots.tenures().stream()).toList();
    }

    /** Trips the fences of all tenures that serve. */
    void trip(FencedException why) {
        tenures().forEach(tenure -> tenure.fence().trip(why));
    }
}
