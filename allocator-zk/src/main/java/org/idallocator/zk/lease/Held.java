package org.idallocator.zk.lease;

import java.util.List;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.lease.SlotGroup.SlotKeeper;

/**
 * What this replica holds, and whether it is to serve.
 *
 * @param groups one for each scheme with slots
 */
record Held(List<SlotGroup> groups, ServingState state) {
    /** The keepers of all slots that this replica leases. */
    List<SlotKeeper> keepers() {
        return groups.stream().flatMap(group -> group.keepers().stream()).toList();
    }

    /** The tenures that serve. */
    List<Tenure> tenures() {
        return groups.stream().flatMap(group -> group.tenures().stream()).toList();
    }

    /** Trips the fences of all tenures that serve. */
    void trip(FencedException why) {
        tenures().forEach(tenure -> tenure.fence().trip(why));
    }
}
