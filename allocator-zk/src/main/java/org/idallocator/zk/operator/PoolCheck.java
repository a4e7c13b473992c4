package org.idallocator.zk.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.Epoch;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Floors;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;

/** Looks at a scheme's pool as a replica does that needs its slots: the layout, the free slots, and the rights to claim one. */
final class PoolCheck {
    private static final int NEARLY = 10;

    private final OperatorAccess access;
    private final Scheme<?> scheme;
    private final SlotPool pool;
    private final Nodes nodes;
    private final Tree tree;
    private final Remedies remedies;
    private final int wanted;

    PoolCheck(OperatorAccess access, Scheme<?> scheme, Remedies remedies) {
        this.access = access;
        this.scheme = scheme;
        this.pool = scheme.pool().orElseThrow();
        this.nodes = access.nodes();
        this.tree = nodes.tree();
        this.remedies = remedies;
        this.wanted = access.settings().leases(scheme);
    }

    /** {@code reader} knows ZooKeeper's time. */
    Check look(Root.Seen incarnation, SlotReader reader) {
        Optional<Layouts.Seen> layout = Layouts.read(nodes, pool);
        if (layout.isEmpty()) {
            requireRights(incarnation.checks(tree), tree.layout(pool), tree.records(pool));
            return fail(unbegun(), FenceReason.COOLING, remedies.of(FenceReason.COOLING));
        }
        access.layouts().requireAgreed(pool, layout.get().node());
        return slots(new Epoch(incarnation, layout.get()), reader.pool(scheme, pool));
    }

    private Check fail(String seen, FenceReason reason, String remedy) {
        return Check.fail(scheme.name(), seen, reason, remedy);
    }

    private String unbegun() {
        boolean used = nodes.exists(tree.records(pool));
        Duration ahead = (used ? Terms.largest() : access.settings().terms()).ahead();
        return tree.layout(pool) + " does not exist"
                + (used ? " although the pool was used" : ", so nobody has used the pool yet")
                + ": the first replica makes it, and serves " + ahead.toSeconds() + " s later";
    }

    private Check slots(Epoch epoch, PoolReading read) {
        List<LeaseView> claimable = read.claimable(wanted);
        if (claimable.size() < wanted) {
            return lacking(read);
        }
        LeaseView first = claimable.get(0);
        List<Store.Op> conditions = epoch.checks(tree, pool);
        if (read.isRecorded(first)) {
            conditions.add(new Store.Op.Write(first.recordPath(), "", -1));
            requireRights(conditions);
        } else {
            requireRights(conditions, tree.records(pool));
        }
        LeaseView last = claimable.get(wanted - 1);
        return last.freeAt() == null ? serving(read) : cooling(epoch, read, last);
    }

    /** Where records cannot be read, the state is that of the first of them. */
    private Check lacking(PoolReading read) {
        String seen =
                wanted == 1 ? counts(read) : counts(read) + left(read) + ", fewer than leases, which is " + wanted;
        if (read.broken().isEmpty()) {
            return fail(seen, FenceReason.NO_FREE_SLOT, Remedies.noFreeSlot(scheme));
        }
        FenceReason reason = nodes.find(read.broken().get(0).recordPath(), SlotRecord.class)
                .flatMap(found -> Optional.ofNullable(found.fault()))
                .map(fault -> fault.fenced().reason())
                .orElse(FenceReason.MALFORMED_NODE);
        boolean malformed = reason == FenceReason.MALFORMED_NODE;
        return fail(seen, reason, malformed ? Remedies.unreadableRecords() : remedies.of(reason));
    }

    /** {@code last} is the last of the slots that a replica needs, and serves later than the others. */
    private Check cooling(Epoch epoch, PoolReading read, LeaseView last) {
        Instant serves = Objects.requireNonNull(last.freeAt());
        if (serves.isAfter(pool.unit().instantAt(pool.unit().maxTick()))) {
            return fail(
                    "no time is left after " + serves,
                    FenceReason.CEILING_PASSED,
                    farFloor(epoch).orElse("draw IDs of another scheme: this one's time is used up"));
        }
        return fail(
                counts(read) + ", and "
                        + (wanted == 1 ? "a free one serves" : "as many free ones as leases, " + wanted + ", serve")
                        + " at " + serves + ", in " + (Objects.requireNonNull(last.timeLeftMillis()) + 999) / 1_000
                        + " s: earlier times are, or may have been, reserved",
                FenceReason.COOLING,
                farFloor(epoch).orElseGet(() -> remedies.of(FenceReason.COOLING)));
    }

    /** What to do about a floor that is further ahead than any terms explain; empty where none is. */
    private Optional<String> farFloor(Epoch epoch) {
        if (Floors.isFar(epoch.meta().floor(), epoch.meta().leaderMillis())) {
            return Optional.of(remedies.farFloor(tree.meta()));
        }
        return Floors.isFar(epoch.layout().floor(), epoch.layout().leaderMillis())
                ? Optional.of(remedies.farFloor(tree.layout(pool)))
                : Optional.empty();
    }

    /** A replica serves; the next ones may not. */
    private Check serving(PoolReading read) {
        if (!read.broken().isEmpty()) {
            return Check.warn(scheme.name(), counts(read), Remedies.unreadableRecords());
        }
        return read.left() < 2L * wanted || read.left() <= pool.size() / NEARLY
                ? Check.warn(scheme.name(), counts(read) + left(read), Remedies.enlarge(scheme))
                : Check.ok(scheme.name(), counts(read));
    }

    /** {@code 1 of 2 slots are held, 1 is retired}. */
    private String counts(PoolReading read) {
        PoolView.Counts counts = read.view().counts();
        String words = read.held() + " of " + pool.size() + " slots are held";
        if (counts.retired() > 0) {
            words += ", " + counts.retired() + (counts.retired() == 1 ? " is retired" : " are retired");
        }
        List<LeaseView> broken = read.broken();
        if (!broken.isEmpty()) {
            words += ", the records of " + broken.size() + " cannot be read ("
                    + broken.get(0).slot() + (broken.size() == 1 ? ")" : ", ...)");
        }
        return words;
    }

    private static String left(PoolReading read) {
        return read.left() == 1 ? ", and 1 is left" : ", and " + read.left() + " are left";
    }

    /** Throws where ZooKeeper refuses this client one of these, or to make nodes below what a replica makes nodes below. */
    private void requireRights(List<Store.Op> ops, String... others) {
        List<String> parents = new ArrayList<>(List.of(tree.leases(pool)));
        if (pool.choice() == SlotPool.Choice.INDEX) {
            parents.add(tree.index(pool));
        }
        parents.addAll(List.of(others));
        new Rights(nodes).require(ops, parents, tree.pool(pool));
    }
}
