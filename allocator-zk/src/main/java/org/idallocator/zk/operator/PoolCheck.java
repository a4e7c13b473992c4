package org.idallocator.zk.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.Epoch;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Floors;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.operator.LeaseView.State;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;

/**
 * Looks at a scheme's pool as a replica does that needs its slots: the layout, the free slots, and the rights to claim one.
 *
 * @param reader knows ZooKeeper's time
 */
record PoolCheck(OperatorAccess access, SlotReader reader, Rights rights, Remedies remedies) {
    private static final int NEARLY = 10;

    Check look(Scheme<?> scheme, Root.Seen incarnation) {
        if (scheme.pool().isEmpty()) {
            return Check.ok(scheme.name(), "needs no slot");
        }
        SlotPool pool = scheme.pool().get();
        Optional<Layouts.Seen> layout = Layouts.read(nodes(), pool);
        if (layout.isEmpty()) {
            require(beginning(pool, incarnation), pool);
            return Check.fail(scheme.name(), unbegun(pool), FenceReason.COOLING, remedies.of(FenceReason.COOLING));
        }
        access.layouts().requireAgreed(pool, layout.get().node());
        return slots(scheme, pool, new Epoch(incarnation, layout.get()));
    }

    private Nodes nodes() {
        return access.nodes();
    }

    private Tree tree() {
        return nodes().tree();
    }

    private String unbegun(SlotPool pool) {
        boolean used = nodes().exists(tree().records(pool));
        Duration ahead = (used ? Terms.largest() : access.settings().terms()).ahead();
        return tree().layout(pool) + " does not exist"
                + (used ? " although the pool was used" : ", so nobody has used the pool yet")
                + ": the first replica makes it, and serves " + ahead.toSeconds() + " s later";
    }

    /**
     * How many slots there are, as replicas count them: a slot with a lease is held, whatever the lease and the record say.
     *
     * @param unreadable the others whose records cannot be read
     */
    private record Counts(long size, long held, long retired, List<LeaseView> unreadable) {

        static Counts of(SlotPool pool, PoolReading read) {
            List<LeaseView> slots = read.ofLayout();
            return new Counts(
                    pool.size(),
                    slots.stream().filter(read::isHeld).count(),
                    slots.stream().filter(slot -> slot.state() == State.RETIRED).count(),
                    slots.stream()
                            .filter(slot -> slot.state() == State.UNREADABLE && !read.isHeld(slot))
                            .toList());
        }

        /** How many a replica can claim, now or later. */
        long left() {
            return size - held - retired - unreadable.size();
        }

        /** {@code 1 of 2 slots are held, 1 is retired}. */
        String inWords() {
            String broken = unreadable.isEmpty()
                    ? ""
                    : ", the records of " + unreadable.size() + " cannot be read ("
                            + unreadable.get(0).slot() + (unreadable.size() == 1 ? ")" : ", ...)");
            return held + " of " + size + " slots are held"
                    + (retired == 0 ? "" : ", " + retired + (retired == 1 ? " is retired" : " are retired"))
                    + broken;
        }

        String inWordsWithLeft() {
            return inWords() + ", and " + left() + (left() == 1 ? " is left" : " are left");
        }
    }

    private Check slots(Scheme<?> scheme, SlotPool pool, Epoch epoch) {
        int wanted = access.settings().leases(scheme).min();
        PoolReading read = reader.pool(scheme, pool);
        Counts counts = Counts.of(pool, read);
        List<LeaseView> claimable = Stream.concat(read.ofLayout().stream(), read.unused(wanted).stream())
                .filter(slot -> slot.state() == State.FREE || slot.state() == State.COOLING)
                .sorted(Comparator.comparing(LeaseView::freeAt, Comparator.nullsFirst(Comparator.naturalOrder())))
                .toList();
        if (claimable.size() < wanted) {
            return lacking(scheme, counts, wanted);
        }
        require(claim(pool, epoch, claimable.get(0), read), pool);
        LeaseView last = claimable.get(wanted - 1);
        return last.freeAt() == null ? serving(scheme, counts, wanted) : cooling(scheme, pool, epoch, counts, last);
    }

    /** Where records cannot be read, the state is that of the first of them. */
    private Check lacking(Scheme<?> scheme, Counts counts, int wanted) {
        String seen = wanted == 1
                ? counts.inWords()
                : counts.inWordsWithLeft() + ", fewer than leases, which is " + wanted;
        if (counts.unreadable().isEmpty()) {
            return Check.fail(scheme.name(), seen, FenceReason.NO_FREE_SLOT, Remedies.noFreeSlot(scheme));
        }
        FenceReason reason = nodes()
                .find(counts.unreadable().get(0).recordPath(), SlotRecord.class)
                .flatMap(found -> Optional.ofNullable(found.fault()))
                .map(fault -> Fencing.of(fault).reason())
                .orElse(FenceReason.MALFORMED_NODE);
        return Check.fail(
                scheme.name(),
                seen,
                reason,
                reason == FenceReason.MALFORMED_NODE ? Remedies.unreadableRecords() : remedies.of(reason));
    }

    private Check cooling(Scheme<?> scheme, SlotPool pool, Epoch epoch, Counts counts, LeaseView last) {
        Instant freeAt = Objects.requireNonNull(last.freeAt());
        if (freeAt.isAfter(pool.unit().instantAt(pool.unit().maxTick()))) {
            return Check.fail(
                    scheme.name(),
                    "no time is left after " + freeAt,
                    FenceReason.CEILING_PASSED,
                    farFloor(pool, epoch).orElse("draw IDs of another scheme: this one's time is used up"));
        }
        int wanted = access.settings().leases(scheme).min();
        long seconds = (Objects.requireNonNull(last.timeLeftMillis()) + 999) / 1_000;
        return Check.fail(
                scheme.name(),
                counts.inWords() + ", and "
                        + (wanted == 1 ? "a free one serves" : "as many free ones as leases, " + wanted + ", serve")
                        + " at " + freeAt + ", in " + seconds + " s: earlier times are, or may have been, reserved",
                FenceReason.COOLING,
                farFloor(pool, epoch).orElseGet(() -> remedies.of(FenceReason.COOLING)));
    }

    /** What to do about a floor that is further ahead than any terms explain; empty where none is. */
    private Optional<String> farFloor(SlotPool pool, Epoch epoch) {
        if (Floors.isFar(epoch.meta().floor(), epoch.meta().leaderMillis())) {
            return Optional.of(remedies.farFloor(tree().meta()));
        }
        return Floors.isFar(epoch.layout().floor(), epoch.layout().leaderMillis())
                ? Optional.of(remedies.farFloor(tree().layout(pool)))
                : Optional.empty();
    }

    /** A replica serves; the next ones may not. */
    private static Check serving(Scheme<?> scheme, Counts counts, int wanted) {
        if (!counts.unreadable().isEmpty()) {
            return Check.warn(scheme.name(), counts.inWords(), Remedies.unreadableRecords());
        }
        return counts.left() < 2L * wanted || counts.left() <= counts.size() / NEARLY
                ? Check.warn(scheme.name(), counts.inWordsWithLeft(), Remedies.enlarge(scheme))
                : Check.ok(scheme.name(), counts.inWords());
    }

    /** Throws where ZooKeeper refuses this client any of these operations, which are all in the pool. */
    private void require(List<Store.Op> ops, SlotPool pool) {
        rights.require(ops, tree().root() + "/" + pool.path());
    }

    /** What the first replica writes to a pool without a layout, up to its claim. */
    private List<Store.Op> beginning(SlotPool pool, Root.Seen incarnation) {
        List<String> parents = parents(pool);
        parents.addAll(List.of(tree().layout(pool), tree().records(pool)));
        List<Store.Op> ops = new ArrayList<>(incarnation.checks(tree()));
        ops.addAll(rights.making(parents));
        return ops;
    }

    /** What a choice and a claim of the slot write. */
    private List<Store.Op> claim(SlotPool pool, Epoch epoch, LeaseView slot, PoolReading read) {
        List<String> parents = parents(pool);
        List<Store.Op> ops = epoch.checks(tree(), pool);
        if (read.isRecorded(slot)) {
            ops.add(new Store.Op.Write(slot.recordPath(), "", -1));
        } else {
            parents.add(tree().records(pool));
        }
        ops.addAll(rights.making(parents));
        return ops;
    }

    /** Below what a replica makes nodes for each claim. */
    private List<String> parents(SlotPool pool) {
        List<String> parents = new ArrayList<>(List.of(tree().leases(pool)));
        if (pool.choice() == SlotPool.Choice.INDEX) {
            parents.add(tree().index(pool));
        }
        return parents;
    }
}
