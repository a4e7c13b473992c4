package org.idallocator.zk.lease;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.store.Store;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a replica does when ZooKeeper seems to have lost acknowledged writes. It removes meta, so that nobody goes on under that
 * incarnation, not even a replica that starts now; fence-restore is the way out. Meta goes only in one transaction with the
 * proof, because what was read may have come from a server that is merely behind. Confined to the lease loop's thread.
 */
final class Rollback {
    private static final Logger LOG = LoggerFactory.getLogger(Rollback.class);
    private static final String LOW_FLOOR = "an incarnation begins too low";

    private final Nodes nodes;
    private final FailureLog failures = new FailureLog(LOG);
    private @Nullable FencedException proven;

    Rollback(Nodes nodes) {
        this.nodes = nodes;
    }

    /** Removes meta where the loss that a tenure under it found can be proven. False when it cannot. */
    boolean proves(RolledBackException found, Root.Seen meta, Instant reservedThrough) {
        List<Store.Op> ops = new ArrayList<>(proof(found));
        ops.addAll(meta.removal(nodes.tree(), reservedThrough));
        return removed(ops, refusal(found));
    }

    /** What callers are told of such a loss. */
    static FencedException refusal(RolledBackException found) {
        return Fencing.of(FenceReason.ROLLED_BACK, String.valueOf(found.getMessage()));
    }

    /**
     * Refuses an incarnation whose floor is not above what this replica knows to be reserved, and removes its meta. Whoever
     * began it counted a shorter window, or knew nothing of a clock that was far ahead. Meta itself is the proof. What this
     * replica knows stays in the root, where fence-restore finds it.
     *
     * @param reservedThrough the end of the last tick that this replica, or another one that it knows of, has reserved
     * @return what to throw
     */
    FencedException refusesFloor(Root.Seen meta, Instant reservedThrough) {
        FencedException refusal = Fencing.of(
                FenceReason.ROLLED_BACK,
                "the floor " + meta.floor() + " of incarnation " + meta.node().incarnation() + " is not above "
                        + reservedThrough + ", up to which IDs may have been issued; fence-restore --floor "
                        + reservedThrough);
        // Before the write, whose answer may be lost: this names the way out, and the way out is the same for each
        // incarnation.
        failures.failed(LOW_FLOOR, reservedThrough, refusal);
        removed(meta.removal(nodes.tree(), reservedThrough), refusal);
        return refusal;
    }

    private boolean removed(List<Store.Op> ops, FencedException why) {
        boolean removed = nodes.store().attempt(ops);
        proven = removed ? why : proven;
        return removed;
    }

    /**
     * The operations that fail unless the loss is real. A record that is gone is made anew as it was, with its missing parents.
     */
    private List<Store.Op> proof(RolledBackException found) {
        Tenure witness = found.witness();
        String path = nodes.tree().record(witness.slot());
        if (found.version() >= 0) {
            return List.of(new Store.Op.Check(path, found.version()));
        }
        List<Store.Op> ops = new ArrayList<>();
        for (int slash = path.indexOf('/', nodes.tree().root().length() + 1);
                slash > 0;
                slash = path.indexOf('/', slash + 1)) {
            String parent = path.substring(0, slash);
            if (!nodes.exists(parent)) {
                ops.add(new Store.Op.Create(parent, "", false));
            }
        }
        ops.add(new Store.Op.Create(
                path, Json.write(witness.reserving(witness.fence().ceilingTick())), false));
        return ops;
    }

    /** What to tell callers: where meta is gone, the cause, if this replica knows it. */
    FencedException explained(FencedException why) {
        FencedException known = proven;
        return known != null && why.reason() == FenceReason.META_GONE ? known : why;
    }

    /** Forgets what was proven: another incarnation has begun. */
    void forget() {
        proven = null;
        failures.forget(LOW_FLOOR);
    }
}
