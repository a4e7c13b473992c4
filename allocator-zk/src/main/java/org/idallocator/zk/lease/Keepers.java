package org.idallocator.zk.lease;

import java.util.List;
import java.util.function.Consumer;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;

/**
 * The keepers of all schemes that this replica leases slots for.
 *
 * @param all one for each scheme
 */
record Keepers(List<SlotKeeper> all) {

    Keepers {
        all = List.copyOf(all);
    }

    /** The tenures that serve. */
    List<Tenure> tenures() {
        return all.stream().flatMap(keeper -> keeper.tenure().stream()).toList();
    }

    /** Trips the fences of all tenures that serve. */
    void trip(FenceReason reason, String detail) {
        tenures().forEach(tenure -> tenure.fence().trip(reason, detail));
    }

    /** The same, for a reason that was put into words already. */
    void trip(FencedException why) {
        tenures().forEach(tenure -> tenure.fence().trip(why));
    }

    /** Collects the tenures whose fences have tripped: they stop serving. Each is handed on before the next is looked at. */
    void collect(Consumer<Tenure> collected) {
        for (SlotKeeper keeper : all) {
            keeper.collect().ifPresent(collected);
        }
    }

    /** From now on callers are told why, where no tenure serves. */
    void refuse(FencedException why) {
        all.stream().filter(keeper -> keeper.tenure().isEmpty()).forEach(keeper -> keeper.refuse(why));
    }
}
