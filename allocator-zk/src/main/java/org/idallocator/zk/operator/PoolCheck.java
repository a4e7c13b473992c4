package org.idallocator.zk.operator;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.Epoch;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Floors;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/** Looks at a scheme's pool as a replica does that needs its slots: the layout, the free slots, and the rights to claim one. */
final class PoolCheck {
    private static final int NEARLY = 10;

    private final Nodes nodes;
    private final Tree tree;
    private final AllocatorSettings settings;
    private final Terms terms;
    private final Rights rights;
    private final Remedies remedies;

    PoolCheck(Nodes nodes, AllocatorSettings settings, Remedies remedies) {
        this.nodes = nodes;
        this.tree = nodes.tree();
        this.settings = settings;
        this.terms = settings.terms();
        this.rights = new Rights(nodes);
        this.remedies = remedies;
    }

    /** {@code micros} is the time, by this machine's clock where that is right. */
    void look(Scheme<?> scheme, Root.Seen incarnation, long micros, Checklist list) {
        Optional<SlotPool> pool = scheme.pool();
        if (pool.isEmpty()) {
            list.ok(scheme.name(), "needs no slot");
            return;
        }
        Optional<Layouts.Seen> layout = Layouts.read(nodes, pool.get());
        if (layout.isPresent()) {
            new Layouts(nodes, terms).requireAgreed(pool.get(), layout.get().node());
            slots(scheme, new Epoch(incarnation, layout.get()), micros, list);
        } else {
            require(beginning(pool.get(), incarnation), path(pool.get()));
            list.fail(scheme.name(), unbegun(pool.get()), FenceReason.COOLING, remedies.of(FenceReason.COOLING));
        }
    }

    private String unbegun(SlotPool pool) {
        boolean used = nodes.exists(tree.records(pool));
        Duration ahead = used ? Terms.largest().ahead() : terms.ahead();
        return tree.layout(pool) + " does not exist"
                + (used ? " although the pool was used" : ", so nobody has used the pool yet")
                + ": the first replica makes it, and serves " + ahead.toSeconds() + " s later";
    }

    private void slots(Scheme<?> scheme, Epoch epoch, long micros, Checklist list) {
        String name = scheme.name();
        SlotPool pool = scheme.pool().orElseThrow();
        int min = settings.leases(scheme);
        Survey survey = Survey.of(nodes, pool, epoch.layout(), new Survey.Need(min, micros));
        String counts = survey.counts(pool);
        if (survey.serving().isEmpty()) {
            FenceReason reason = lacking(scheme, pool, survey);
            list.fail(
                    name,
                    min == 1 ? counts : counts + left(survey.left(pool)) + ", fewer than leases, which is " + min,
                    reason,
                    remedy(scheme, reason));
            return;
        }
        require(claim(pool, epoch, survey.first().orElseThrow()), path(pool));
        long firstTick = Math.max(survey.serving().getAsLong(), epoch.firstTick(pool.unit()));
        if (firstTick > pool.unit().maxTick()) {
            list.fail(
                    name,
                    "no time is left after " + pool.unit().instantAt(firstTick),
                    FenceReason.CEILING_PASSED,
                    farFloor(pool, epoch).orElse("draw IDs of another scheme: this one's time is used up"));
        } else if (firstTick > pool.unit().tickAt(micros)) {
            list.fail(
                    name,
                    counts + ", and "
                            + (min == 1 ? "a free one serves" : "as many free ones as leases, " + min + ", serve")
                            + " at " + serves(pool, firstTick, micros)
                            + ": earlier times are, or may have been, reserved",
                    FenceReason.COOLING,
                    farFloor(pool, epoch).orElseGet(() -> remedies.of(FenceReason.COOLING)));
        } else {
            serving(scheme, survey, min, list);
        }
    }

    /** What to do about a floor that is further ahead than any terms explain; empty where none is. */
    private Optional<String> farFloor(SlotPool pool, Epoch epoch) {
        if (Floors.isFar(epoch.meta().floor(), epoch.meta().leaderMillis())) {
            return Optional.of(remedies.farFloor(tree.meta()));
        }
        return Floors.isFar(epoch.layout().floor(), epoch.layout().leaderMillis())
                ? Optional.of(remedies.farFloor(tree.layout(pool)))
                : Optional.empty();
    }

    /** Why there are too few slots: where records cannot be read, what the first of them is. */
    private FenceReason lacking(Scheme<?> scheme, SlotPool pool, Survey survey) {
        if (survey.unreadable().isEmpty()) {
            return FenceReason.NO_FREE_SLOT;
        }
        try {
            var unused = nodes.record(
                    new Slot(scheme, pool, pool.slotOf(survey.unreadable().get(0))));
            return FenceReason.MALFORMED_NODE;
        } catch (StoreException e) {
            return Fencing.of(e).reason();
        }
    }

    private String remedy(Scheme<?> scheme, FenceReason lacking) {
        return switch (lacking) {
            case NO_FREE_SLOT -> Remedies.noFreeSlot(scheme);
            case MALFORMED_NODE -> remedies.unreadableRecords();
            default -> remedies.of(lacking);
        };
    }

    private static String serves(SlotPool pool, long firstTick, long micros) {
        Instant serves = pool.unit().instantAt(firstTick);
        Duration wait = Duration.between(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), serves);
        return serves + ", in " + (wait.toMillis() + 999) / 1_000 + " s";
    }

    /** A replica serves; the next ones may not. */
    private void serving(Scheme<?> scheme, Survey survey, int min, Checklist list) {
        SlotPool pool = scheme.pool().orElseThrow();
        long left = survey.left(pool);
        if (!survey.unreadable().isEmpty()) {
            list.warn(scheme.name(), survey.counts(pool), remedies.unreadableRecords());
        } else if (left < 2L * min || left <= pool.size() / NEARLY) {
            list.warn(scheme.name(), survey.counts(pool) + left(left), Remedies.enlarge(scheme));
        } else {
            list.ok(scheme.name(), survey.counts(pool));
        }
    }

    private static String left(long left) {
        return left == 1 ? ", and 1 is left" : ", and " + left + " are left";
    }

    private String path(SlotPool pool) {
        return tree.root() + "/" + pool.path();
    }

    /** Throws where ZooKeeper refuses this client any of these operations, which are all at {@code path} or below. */
    private void require(List<Store.Op> ops, String path) {
        if (!rights.allow(ops)) {
            throw Fencing.of(FenceReason.NO_PERMISSION, path);
        }
    }

    /** What the first replica writes to a pool without a layout, up to its claim. */
    private List<Store.Op> beginning(SlotPool pool, Root.Seen incarnation) {
        List<String> parents = parents(pool);
        parents.addAll(List.of(tree.layout(pool), tree.records(pool)));
        List<Store.Op> ops = new ArrayList<>(incarnation.checks(tree));
        ops.addAll(rights.making(parents));
        return ops;
    }

    /** What a choice and a claim of the slot write. */
    private List<Store.Op> claim(SlotPool pool, Epoch epoch, Survey.Candidate slot) {
        List<String> parents = parents(pool);
        List<Store.Op> ops = epoch.checks(tree, pool);
        if (slot.record().isPresent()) {
            ops.add(new Store.Op.Write(tree.records(pool) + "/" + slot.name(), "", -1));
        } else {
            parents.add(tree.records(pool));
        }
        ops.addAll(rights.making(parents));
        return ops;
    }

    /** Below what a replica makes nodes for each claim. */
    private List<String> parents(SlotPool pool) {
        List<String> parents = new ArrayList<>(List.of(tree.leases(pool)));
        if (pool.choice() == SlotPool.Choice.INDEX) {
            parents.add(tree.index(pool));
        }
        return parents;
    }
}
