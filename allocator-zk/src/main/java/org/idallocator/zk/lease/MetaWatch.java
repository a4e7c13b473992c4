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
 * What {@code meta} says to this replica. Where meta is gone, or is not the one under which tenures were claimed, their fences trip.
 * What this replica knows to be reserved, its own and what floors tell of others, outlives meta: an incarnation that begins below
 * is refused. Confined to the lease loop's thread.
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

    /** As it was when it was last looked at. */
    Root.Seen seen() {
        return Objects.requireNonNull(last);
    }

    /**
     * Reads meta, and begins an incarnation where the root is empty.
     *
     * @throws FencedException when no tenure may serve under what is there
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

    /** The highest ceiling that this replica ever had, of whatever pool. */
    private void rememberCeilings() {
        Stream.concat(keepers.tenures().stream(), releases.tenures().stream())
                .map(Tenure::reservedThrough)
                .forEach(through -> reservedThrough = Floors.later(reservedThrough, through));
    }

    /**
     * Remembers what others have reserved, where a floor tells ({@link Floors#isFar}): it would be forgotten with ZooKeeper's data.
     * While there is data, a pool's floor stays with its layout; so it counts in an empty root alone.
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
            if (e.kind() == StoreException.Kind.MALFORMED) {
                keepers.trip(FenceReason.META_CHANGED, String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    /** ZooKeeper's history is another one from now on. */
    private void goOnUnder(Root.Seen now) {
        if (now.floor().isBefore(reservedThrough)) {
            throw rollback.refusesFloor(now, reservedThrough);
        }
        Stream.concat(keepers.tenures().stream(), releases.tenures().stream()).forEach(Tenure::forgetRecord);
        rollback.isOver();
    }

    /** Takes meta away where it can be proven what a tenure under it found; if not, the next step looks again. */
    boolean proves(RolledBackException found) {
        return rollback.proves(found, seen(), reservedThrough);
    }

    /** What to tell callers where meta is gone: the cause, if this replica knows it. */
    FencedException explained(FencedException why) {
        return rollback.explained(why);
    }
}
