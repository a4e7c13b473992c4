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
import org.idallocator.zk.era.Era;
import org.idallocator.zk.era.Generation;
import org.idallocator.zk.era.Generations;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.Pools;
import org.idallocator.zk.operator.LeaseView.State;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;

/** Looks at a pool as a replica does that needs its slots: the layout, the free slots, and the rights to claim one. */
final class PoolCheck {
    private static final int NEARLY = 10;

    private final OperatorAccess access;
    private final Znodes nodes;
    private final Tree tree;
    private final Duration clockOffset;
    private final Scheme<?> scheme;
    private final SlotPool pool;
    private final int wanted; // slots that a replica needs
    private final Remedies remedies;

    /**
     * Looks at nothing yet.
     *
     * @param access what the doctor works with
     * @param clockOffset how far the clock is ahead of ZooKeeper's
     * @param scheme whose pool it is
     * @param pool the pool as it is configured
     * @param remedies the ways out
     */
    PoolCheck(OperatorAccess access, Duration clockOffset, Scheme<?> scheme, SlotPool pool, Remedies remedies) {
        this.access = access;
        this.nodes = access.nodes();
        this.tree = nodes.tree();
        this.clockOffset = clockOffset;
        this.scheme = scheme;
        this.pool = pool;
        this.wanted = access.settings().leases(scheme);
        this.remedies = remedies;
    }

    Finding look(Incarnation incarnation) {
        Optional<Generation> layout = Generations.read(nodes, pool);
        if (layout.isEmpty()) {
            requireRights(incarnation.checks(tree), tree.layout(pool));
            return Finding.fail(unbegun(), FenceReason.COOLING, remedies.of(FenceReason.COOLING));
        }
        access.generations().requireAgreed(pool, layout.get().node());
        return slots(
                new Era(incarnation, layout.get()),
                SlotReader.readPool(access, () -> Optional.of(clockOffset), scheme));
    }

    private String unbegun() {
        boolean used = access.generations().wasUsed(pool);
        Duration ahead = access.generations().ahead(pool, used);
        return tree.layout(pool) + " does not exist"
                + (used ? " although the pool was used" : ", so nobody has used the pool yet")
                + ": the first replica makes it, and serves " + ahead.toSeconds() + " s later";
    }

    private Finding slots(Era era, SlotReader reader) {
        PoolView view = reader.pool();
        List<LeaseView> claimable = reader.claimable(wanted);
        if (claimable.size() < wanted) {
            return lacking(view, reader.fault());
        }
        List<Store.Op> conditions = era.checks(tree, pool);
        reader.writingBack(claimable.get(0)).ifPresent(conditions::add);
        requireRights(conditions);
        LeaseView last = claimable.get(wanted - 1);
        if (last.freeAt() != null) {
            return cooling(view, last);
        }
        return terms().outlastRestore() && view.counts().held() == 0
                ? unvouched(view)
                : serving(view, reader.hasForbidden());
    }

    private Terms terms() {
        return access.settings().terms(pool).boundedBy(pool);
    }

    /** A replica that serves says that no backup has come back. It, or an operator, may have said so a moment ago. */
    private Finding unvouched(PoolView view) {
        String seen = counts(view) + ": a replica that starts now may wait for up to "
                + terms().waitWhereNobodyVouches().toSeconds()
                + " s, because nobody who serves says that no backup of ZooKeeper came back";
        return Finding.warn(seen, Remedies.nobodyVouches(terms().lead()));
    }

    /** Where records of slots that nobody holds cannot be read, the state is that of the first of them. */
    private Finding lacking(PoolView view, Optional<StoreException> fault) {
        String seen = wanted == 1 ? counts(view) : countsWithLeft(view) + ", fewer than leases, which is " + wanted;
        FenceReason reason = fault.map(broken -> broken.fenced().reason()).orElse(FenceReason.NO_FREE_SLOT);
        String remedy = switch (reason) {
            case NO_FREE_SLOT -> "stop a replica that is not needed, lower leases, " + Remedies.moreSlots(pool);
            case MALFORMED_NODE -> Remedies.unreadableRecords();
            default -> remedies.of(reason);
        };
        return Finding.fail(seen, reason, remedy);
    }

    /** {@code last} is the last of the slots that a replica needs, and serves later than the others. */
    private Finding cooling(PoolView view, LeaseView last) {
        Instant serves = Objects.requireNonNull(last.freeAt());
        Duration left = Duration.ofMillis(Objects.requireNonNull(last.timeLeftMillis()));
        Duration farthest =
                access.settings().terms(pool).orLarger(Terms.undeclared()).reach();
        String remedy = left.compareTo(farthest) > 0
                ? remedies.farFloor(tree.meta(), tree.layout(pool))
                : remedies.of(FenceReason.COOLING);
        if (serves.isAfter(pool.unit().instantAt(pool.unit().maxTick()))) {
            return Finding.fail("no time is left after " + serves, FenceReason.CEILING_PASSED, remedy);
        }
        String free = wanted == 1 ? "a free one serves" : "as many free ones as leases, " + wanted + ", serve";
        String seen = counts(view) + ", and " + free + " at " + serves + ", in " + (left.toMillis() + 999) / 1_000
                + " s: earlier times are, or may have been, reserved";
        return Finding.fail(seen, FenceReason.COOLING, remedy);
    }

    /**
     * A replica serves; the next ones may not.
     *
     * @param forbidden whether a node of a slot may not be read: who may not read it can retire no slot either
     */
    private Finding serving(PoolView view, boolean forbidden) {
        if (view.counts().unreadable() > 0) {
            String remedy = forbidden ? remedies.of(FenceReason.NO_PERMISSION) : Remedies.unreadableRecords();
            return Finding.warn(counts(view), remedy);
        }
        return left(view) < 2L * wanted || left(view) <= pool.size() / NEARLY
                ? Finding.warn(countsWithLeft(view), "before none is left, " + Remedies.moreSlots(pool))
                : Finding.ok(counts(view));
    }

    /** How many slots a replica can claim, now or later. */
    private static long left(PoolView view) {
        return view.counts().free() + view.counts().cooling();
    }

    private String countsWithLeft(PoolView view) {
        return counts(view) + ", and " + left(view) + (left(view) == 1 ? " is left" : " are left");
    }

    /** {@code 1 of 2 slots are held, 1 is retired}. */
    private String counts(PoolView view) {
        PoolView.Counts counts = view.counts();
        String words = counts.held() + " of " + counts.size() + " slots are held";
        if (counts.retired() > 0) {
            words += ", " + counts.retired() + (counts.retired() == 1 ? " is retired" : " are retired");
        }
        if (counts.unreadable() > 0) {
            String first = view.slots().stream()
                    .filter(slot -> slot.state() == State.UNREADABLE && Pools.isSlot(pool, slot.slot()))
                    .findFirst()
                    .map(LeaseView::slot)
                    .orElseThrow();
            words += ", the records of " + counts.unreadable() + " cannot be read (" + first
                    + (counts.unreadable() == 1 ? ")" : ", ...)");
        }
        return words;
    }

    /**
     * Throws where ZooKeeper forbids this client one of these, or to make nodes below what a replica makes nodes below.
     */
    private void requireRights(List<Store.Op> ops, String... others) {
        List<String> parents = new ArrayList<>(List.of(tree.leases(pool), tree.records(pool)));
        if (pool.choice() == SlotPool.Choice.INDEX) {
            parents.add(tree.index(pool));
        }
        parents.addAll(List.of(others));
        new Rights(nodes).require(ops, parents, tree.pool(pool).path());
    }
}
