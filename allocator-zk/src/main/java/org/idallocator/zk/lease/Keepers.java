package org.idallocator.zk.lease;

import java.util.List;
import java.util.function.Consumer;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;

/**
 * The keepers of all slots that this replica leases.
 *
 * @param groups one for each scheme
 */
record Keepers(List<SlotGroup> groups) {
    Keepers {
        groups = List.copyOf(groups);
    }

    List<SlotKeeper> all() {
        return groups.stream().flatMap(group -> group.keepers().stream()).toList();
    }

    /** The tenures that serve. */
    List<Tenure> tenures() {
        return groups.stream().flatMap(group -> group.tenures().stream()).toList();
    }

    /** Counts what becomes of the leases of a tenure's scheme. The tenure is one that a keeper had. */
    LeaseTally tally(Tenure tenure) {
        return groups.stream()
                .filter(group -> group.pool().equals(tenure.pool()))
                .findFirst()
                .orElseThrow()
                .tally();
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
        groups.forEach(group -> group.collect(collected));
    }

    /** From now on callers are told why, where no tenure serves. */
    void refuse(FencedException why) {
        all().stream().filter(keeper -> keeper.tenure().isEmpty()).forEach(keeper -> keeper.refuse(why));
    }
}
