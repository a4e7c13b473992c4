package org.idallocator.zk.lease;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.era.Era;
import org.idallocator.zk.era.Generation;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.Incarnations;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes;
import org.jspecify.annotations.Nullable;

/**
 * What {@code meta} says to this replica. Where meta is gone, or is not the one under which tenures were claimed, their
 * fences trip. What this replica knows to be reserved, by itself or, as floors tell, by others, outlives meta: an
 * incarnation that begins below is refused.
 *
 * <p>Where ZooKeeper seems to have lost acknowledged writes, this removes meta, so that nobody goes on under that
 * incarnation, not even a replica that starts now; fence-restore is the way out. Meta goes only in one transaction with
 * the proof, because what was read may have come from a server that is merely behind. Confined to the lease loop's
 * thread.
 */
final class MetaWatch {
    private final Znodes nodes;
    private final Incarnations incarnations;
    private final ReplicaSlots held;
    private final ReplicaTenures tenures;
    private @Nullable Incarnation last;
    private Instant reservedThrough = Instant.EPOCH;
    private final Map<SlotPool, FarFloor> farFloors = new HashMap<>();
    private @Nullable FencedException proven;

    /** The floor of a pool that others have reserved up to, and under which incarnation it was seen. */
    private record FarFloor(String incarnation, Instant floor) {}

    /**
     * Knows nothing of meta before it is followed first.
     *
     * @param held has the tenures whose fences trip where meta changes
     * @param tenures by which this replica has reserved ticks
     */
    MetaWatch(Znodes nodes, Incarnations incarnations, ReplicaSlots held, ReplicaTenures tenures) {
        this.nodes = nodes;
        this.incarnations = incarnations;
        this.held = held;
        this.tenures = tenures;
    }

    /** Meta as it was when it was followed last, which must have succeeded once. Asks nobody. */
    Incarnation seen() {
        return Objects.requireNonNull(last);
    }

    /**
     * Remembers what this replica has reserved so far. Each step does this, so that no tenure comes and goes while
     * nobody asks for meta.
     */
    void rememberReserved() {
        tenures.all().forEach(tenure -> reservedThrough = Floors.later(reservedThrough, tenure.reservedThrough()));
    }

    /**
     * Goes on under meta as it is now, and begins an incarnation where the root is empty. Where meta has changed, all
     * fences trip, and meta is removed if its floor is too low.
     *
     * @throws NoneMayServeException when no tenure may serve under what meta says
     */
    Incarnation followOrBegin() {
        return follow(() -> incarnations.readOrBegin(
                farFloors.values().stream().map(FarFloor::floor).reduce(reservedThrough, Floors::later)));
    }

    /**
     * The same, but begins none: a replica that stops would serve under none.
     *
     * @throws NoneMayServeException also where there is no meta
     */
    Incarnation follow() {
        return follow(() -> Incarnations.present(nodes));
    }

    private Incarnation follow(Supplier<Incarnation> reading) {
        rememberReserved();
        Incarnation before = last;
        Incarnation now = readOrTripAll(reading);
        if (before != null && !before.equals(now)) {
            tripAll("incarnation " + now.node().incarnation());
            if (!before.node().incarnation().equals(now.node().incarnation())) {
                adoptOrRemove(now);
            }
        }
        last = now;
        if (Floors.isFar(now.floor(), now.leaderMillis())) {
            reservedThrough = Floors.later(reservedThrough, now.floor());
        }
        return now;
    }

    /** Has this replica be told once when meta changes from now on. */
    void watch() {
        nodes.store().watch(List.of(nodes.tree().meta()));
    }

    /**
     * Remembers what others have reserved, where a pool's floor tells ({@link Floors#isFar}): it would be lost with
     * ZooKeeper's data. Within an incarnation the floor of the pool's layout counts as it is now. What is remembered
     * counts in an empty root, and where another incarnation has begun the pool below: whoever began that knew nothing
     * of it.
     *
     * @throws NoneMayServeException in that last case; then meta is removed
     */
    void rememberOrRemove(SlotPool pool, Era era) {
        String incarnation = era.meta().node().incarnation();
        Instant known = Optional.ofNullable(farFloors.get(pool))
                .filter(far -> !far.incarnation().equals(incarnation))
                .map(FarFloor::floor)
                .orElse(Instant.EPOCH);
        Generation layout = era.layout();
        if (era.floor().isBefore(known)) {
            Store.Op proof = new Store.Op.Check(nodes.tree().layout(pool), layout.version());
            remove(era.meta(), known, "the floor " + era.floor() + " of the pool " + pool.path(), List.of(proof));
        }
        if (Floors.isFar(layout.floor(), layout.leaderMillis())) {
            farFloors.put(pool, new FarFloor(incarnation, layout.floor()));
        } else {
            farFloors.remove(pool);
        }
    }

    /** Meta as {@code reading} finds it. Where this software does not understand it, all fences trip. */
    private Incarnation readOrTripAll(Supplier<Incarnation> reading) {
        try {
            return reading.get();
        } catch (FencedException e) {
            throw new NoneMayServeException(e);
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.MALFORMED || e.kind() == StoreException.Kind.NEWER) {
                tripAll(String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    private void tripAll(String detail) {
        held.trip(FencedException.of(FenceReason.META_CHANGED, detail));
    }

    /**
     * Goes on under another incarnation. Where its floor is not above what this replica knows to be reserved, refuses
     * it, and removes its meta. Whoever began it counted a shorter window, or knew nothing of a clock that was far
     * ahead. Meta itself is the proof. What this replica knows stays in the root, where fence-restore finds it.
     */
    private void adoptOrRemove(Incarnation now) {
        if (now.floor().isBefore(reservedThrough)) {
            remove(
                    now,
                    reservedThrough,
                    "the floor " + now.floor() + " of incarnation " + now.node().incarnation(),
                    List.of());
        }
        tenures.all().forEach(tenure -> tenure.record().forgetVersion());
        proven = null;
    }

    /** Removes meta, if the proof holds, and always throws: {@code floor} is not above what is reserved. */
    private void remove(Incarnation now, Instant reserved, String floor, List<Store.Op> proof) {
        FencedException refusal = FencedException.of(
                FenceReason.ROLLED_BACK,
                floor + " is not above " + reserved + ", up to which IDs may have been issued; fence-restore --floor "
                        + reserved);
        proven = refusal; // before the write, whose answer may be lost: this names the way out
        List<Store.Op> ops = new ArrayList<>(proof);
        ops.addAll(now.removal(nodes.tree(), reserved));
        if (!nodes.store().send(Transaction.of(ops)).wasApplied()) {
            proven = null; // somebody else has written meanwhile
        }
        throw new NoneMayServeException(refusal);
    }

    /**
     * Removes meta where the loss that a tenure found can be proven. False when it cannot; then the next step looks
     * again.
     */
    boolean removeMetaIfLost(RolledBackException found) {
        Tenure tenure = found.tenure();
        String path = nodes.tree().record(tenure.slot());
        List<Store.Op> ops = new ArrayList<>(); // first the proof: operations that fail unless the loss is real
        if (found.version().isPresent()) {
            ops.add(new Store.Op.Check(path, found.version().getAsInt()));
        } else { // a record that is gone is made anew as it was, with its missing parents
            readMissingParents(path).forEach(parent -> ops.add(Store.Op.Create.persistent(parent, "")));
            SlotRecord asItWas = tenure.grant().reserving(tenure.fence().ceilingTick());
            SlotRecord sent = tenure.record().noteSending(asItWas, nodes);
            ops.add(Store.Op.Create.persistent(path, Json.write(sent)));
        }
        ops.addAll(seen().removal(nodes.tree(), reservedThrough));
        boolean removed = nodes.store().send(Transaction.of(ops)).wasApplied();
        if (removed) {
            proven = found.refusal();
        }
        return removed;
    }

    private List<String> readMissingParents(String path) {
        return nodes.tree().parents(path).stream()
                .filter(parent -> !nodes.exists(parent))
                .toList();
    }

    /** What to tell callers: where meta is gone, the cause, if this replica knows it. */
    FencedException withCause(FencedException why) {
        FencedException known = proven;
        return known != null && why.reason() == FenceReason.META_GONE ? known : why;
    }
}
