package org.idallocator.zk.lease;

import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;

/**
 * Has the lease thread obey a drain: while the replica is drained, fences trip, slots are released and none is claimed. The replica
 * stays a member, and its session lives on. Confined to the lease loop's thread.
 */
final class Drain {
    private final Orders orders;
    private final Keepers keepers;
    private final Releaser releaser;
    private boolean drained;

    Drain(Orders orders, Keepers keepers, Releaser releaser) {
        this.orders = orders;
        this.keepers = keepers;
        this.releaser = releaser;
    }

    /** Trips the fences where the replica is drained; where it was resumed, has slots be claimed at once. Asks nobody. */
    void obey() {
        boolean wanted = orders.gate().drained();
        if (wanted) {
            keepers.trip(FenceReason.DRAINED, "in order");
            orders.givesBack(keepers.tenures());
            orders.givesBack(releaser.tenures());
        } else if (drained) {
            keepers.claimAnew(Gate.resumed());
        }
        drained = wanted;
    }

    /** Whether slots may be claimed. A gate that was shut in the midst of a step ends the claiming of that step, too. */
    boolean mayClaim() {
        return !drained && orders.gate().refusal().isEmpty();
    }

    /** Tells whoever has drained this replica why a step has not given all back. */
    void hindered(FencedException why) {
        orders.hindered(why);
    }

    /** A step released what it could. Tells whoever has drained this replica what it could not. */
    void released() {
        orders.hindered(releaser.hindrance().orElse(null));
    }

    /** Tells whoever has drained this replica when all slots are given back. */
    void tell() {
        if (drained && releaser.isEmpty() && keepers.tenures().isEmpty()) {
            orders.gaveBack();
        }
    }
}
