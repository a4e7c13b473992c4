package org.idallocator.zk.lease;

import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Floors;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * What {@code meta} says to this replica. Where meta is gone, or is not the one under which tenures were claimed, their fences
 * trip. What this replica knows to be reserved, by itself or, as floors tell, by others, outlives meta: an incarnation that
 * begins below is refused. Confined to the lease loop's thread.
 */
final class MetaWatch {
    private final Root root;
    private final Keepers keepers;
    private final Releases releases;
    private final Rollback rollback;
    private Root.@Nullable Seen last;
    private Instant reservedThrough = Instant.EPOCH;
    private Instant poolsReservedThrough = Instant.EPOCH;

    MetaWatch(Nodes nodes, Root root, Keepers keepers, Releases releases) {
        this.root = root;
        this.keepers = keepers;
        this.releases = releases;
        this.rollback = new Rollback(nodes);
    }

    /** Meta as it was at the last {@link #look}, which must have succeeded once. */
    Root.Seen seen() {
        return Objects.requireNonNull(last);
    }

    /**
     * Reads meta, and begins an incarnation where the root is empty. Where meta has changed, all fences trip.
     *
     * @throws FencedException when no tenure may serve under what meta says
     */
    Root.Seen look() {
        rememberCeilings();
        Root.Seen before = last;
        Root.Seen now = read();
        if (before != null && !before.equals(now)) {
            keepers.trip(FenceReason.META_CHANGED, "incarnation " + now.node().incarnation());
        }
        if (before != null && !before.node().incarnation().equals(now.node().incarnation())) {
            goOnUnder(now);
        }
        last = now;
        if (Floors.isFar(now.floor(), now.leaderMillis())) {
            reservedThrough = Floors.later(reservedThrough, now.floor());
        }
        return now;
    }

    /** Remembers the latest time that this replica ever reserved, in whatever pool. */
    private void rememberCeilings() {
        tenures()
                .map(Tenure::reservedThrough)
                .forEach(through -> reservedThrough = Floors.later(reservedThrough, through));
    }

    /**
     * Remembers what others have reserved, where a pool's floor tells ({@link Floors#isFar}): it would be lost with ZooKeeper's
     * data. As long as ZooKeeper has data, the floor stays with the pool's layout. So what is remembered counts only in an
     * empty root.
     */
    void remember(Layouts.Seen layout) {
        if (Floors.isFar(layout.floor(), layout.leaderMillis())) {
            poolsReservedThrough = Floors.later(poolsReservedThrough, layout.floor());
        }
    }

    private Root.Seen read() {
        try {
            return root.look(Floors.later(reservedThrough, poolsReservedThrough));
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.MALFORMED || e.kind() == StoreException.Kind.NEWER) {
                keepers.trip(FenceReason.META_CHANGED, String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    /** Goes on under another incarnation, unless that begins below what this replica knows to be reserved. */
    private void goOnUnder(Root.Seen now) {
        if (now.floor().isBefore(reservedThrough)) {
            throw rollback.refusesFloor(now, reservedThrough);
        }
        tenures().forEach(Tenure::forgetRecord);
        rollback.forget();
    }

    /** All tenures that this replica has, those that ended among them. */
    private Stream<Tenure> tenures() {
        return Stream.concat(keepers.tenures().stream(), releases.tenures().stream());
    }

    /** Removes meta where the loss that a tenure found can be proven. False when it cannot; then the next step looks again. */
    boolean proves(RolledBackException found) {
        return rollback.proves(found, seen(), reservedThrough);
    }

    /** What to tell callers: where meta is gone, the cause, if this replica knows it. */
    FencedException explained(FencedException why) {
        return rollback.explained(why);
    }
}
