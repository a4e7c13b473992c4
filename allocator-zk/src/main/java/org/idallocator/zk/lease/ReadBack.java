package org.idallocator.zk.lease;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.lease.RecordHistory.Author;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;
import org.idallocator.zk.znode.Znodes.Found;

/**
 * What was read of a tenure's slot, and what that means for the tenure.
 *
 * <p>A slot is the tenure's if and only if the record is one of its own writes, by the bits, and the lease carries its nonce and belongs
 * to its session. A record with its nonce and other bits was written by a copy of this process: setting it down would have the next
 * tenure issue what the copy has issued.
 *
 * @param generationThere whether the pool still has the generation that the tenure was claimed under
 * @param record the slot's record, whoever wrote it; empty where there is none
 * @param lease the slot's lease, whoever holds it; empty where there is none
 */
record ReadBack(boolean generationThere, Optional<Found<SlotRecord>> record, Optional<Found<LeaseNode>> lease) {
    private static final int NODES_EACH = 3;

    /** What is to become of the record of a tenure that is released. */
    enum Settlement {
        /** The tenure sets its record down to the last tick that it has used. */
        SET_DOWN,
        /** Another tenure could use what this one has used: the record is raised to what is used or reserved. */
        RAISE,
        /** The record is none of the tenure's business, or says already what it should. */
        LEAVE
    }

    /**
     * Reads the slots of tenures back, of however many in the same two answers.
     *
     * @param unreadable told of each tenure of which ZooKeeper does not let this client read a node, and why; it has no result
     * @throws MetaWatch.RolledBackException when ZooKeeper seems to have lost what one of them wrote
     * @throws StoreException when ZooKeeper does not answer
     */
    static Map<Tenure, ReadBack> of(Znodes nodes, List<Tenure> tenures, BiConsumer<Tenure, StoreException> unreadable) {
        Map<Tenure, ReadBack> found = new LinkedHashMap<>();
        if (tenures.isEmpty()) {
            return found;
        }
        Tree tree = nodes.tree();
        List<String> paths = new ArrayList<>();
        for (Tenure tenure : tenures) {
            paths.add(tree.generation(tenure.slot().pool(), tenure.grant().generation()));
            paths.add(tree.record(tenure.slot()));
            paths.add(tree.lease(tenure.slot()));
        }
        nodes.store().sync(paths.get(1));
        List<Store.Answer> answers = nodes.store().readAll(paths);
        for (int i = 0; i < tenures.size(); i++) {
            Tenure tenure = tenures.get(i);
            List<Store.Answer> its = answers.subList(i * NODES_EACH, (i + 1) * NODES_EACH);
            Optional<StoreException> refused =
                    its.stream().flatMap(answer -> answer.refused().stream()).findFirst();
            if (refused.isPresent()) {
                unreadable.accept(tenure, refused.get());
            } else {
                found.put(tenure, of(nodes, tenure, its));
            }
        }
        return found;
    }

    private static ReadBack of(Znodes nodes, Tenure tenure, List<Store.Answer> answers) {
        Tree tree = nodes.tree();
        String record = tree.record(tenure.slot());
        ReadBack read = new ReadBack(
                answers.get(0).node().isPresent(),
                found(nodes, record, answers.get(1), SlotRecord.class),
                found(nodes, tree.lease(tenure.slot()), answers.get(2), LeaseNode.class));
        read.requireNotRolledBack(tenure, record);
        return read;
    }

    private static <T> Optional<Found<T>> found(Znodes nodes, String path, Store.Answer answer, Class<T> type) {
        return answer.node().map(node -> nodes.found(path, node, type));
    }

    private void requireNotRolledBack(Tenure tenure, String path) {
        OptionalInt known = tenure.record().version();
        if (known.isPresent() && version().orElse(-1) < known.getAsInt()) {
            throw new MetaWatch.RolledBackException(tenure, path, version());
        }
    }

    /** The record's version; empty where there is no record. */
    OptionalInt version() {
        return record.stream().mapToInt(Found::version).findFirst();
    }

    /** Why the slot is not the tenure's; empty where it is. A payload that cannot be read is not the tenure's. */
    Optional<FenceReason> lost(Tenure tenure) {
        if (!generationThere) {
            return Optional.of(FenceReason.LAYOUT_CHANGED);
        }
        if (!isAsLeft(tenure)) {
            return Optional.of(FenceReason.RECORD_TAKEN);
        }
        if (lease.isEmpty()) {
            return Optional.of(FenceReason.LEASE_GONE);
        }
        boolean ours = hasLeaseOf(tenure)
                && lease.get().node().owner() == tenure.grant().session().id();
        return ours ? Optional.empty() : Optional.of(FenceReason.LEASE_REPLACED);
    }

    /** Whose writing the record is; empty where there is none that can be read. */
    Optional<Author> author(Tenure tenure) {
        return record.flatMap(Found::readable).map(tenure.record()::author);
    }

    /** Whether the record is as the tenure has left it, by the bits of its own write. */
    boolean isAsLeft(Tenure tenure) {
        return author(tenure).filter(Author.OURS::equals).isPresent();
    }

    /** Whether the lease is the tenure's to delete: it carries the tenure's nonce, on whatever session. */
    boolean hasLeaseOf(Tenure tenure) {
        return lease.flatMap(Found::readable)
                .filter(held -> held.nonce().equals(tenure.nonce()))
                .isPresent();
    }

    /** Whether the record is the tenure's to set down: it carries the tenure's nonce, was not released, and no copy wrote it. */
    boolean hasRecordOf(Tenure tenure) {
        return record.flatMap(Found::readable)
                .filter(found -> found.isOf(tenure.nonce()) && tenure.record().author(found) != Author.COPY)
                .isPresent();
    }

    /**
     * Whether the tenure ever held its slot: it served, or what was read back, now or before an earlier try to release it, shows that
     * its claim was made. Else it has issued nothing, no lease ends with it, and what its generator counts as used is the last
     * holder's: the slot's record is none of its business.
     */
    boolean wasClaimed(Tenure tenure) {
        return tenure.served()
                || hasRecordOf(tenure)
                || hasLeaseOf(tenure)
                || tenure.record().hasReleased();
    }

    /** What is to become of the record of a tenure that is closed. */
    Settlement settlement(Tenure tenure) {
        Optional<SlotRecord> readable = record.flatMap(Found::readable);
        if (!generationThere || readable.isEmpty() || !wasClaimed(tenure)) {
            return Settlement.LEAVE; // all that the record of another generation says lies below the new floor
        }
        if (tenure.record().author(readable.get()) == Author.COPY || saysLess(readable.get(), tenure)) {
            return Settlement.RAISE;
        }
        return hasRecordOf(tenure) ? Settlement.SET_DOWN : Settlement.LEAVE;
    }

    /**
     * Whether another tenure could use what this one has used, because somebody who is no replica wrote the record. Not so where the record
     * is as this tenure has left it. A successor's that hands over in the same tick is taken for a stranger's: nobody can tell the two
     * apart, and the next tenure begins above both.
     */
    private boolean saysLess(SlotRecord found, Tenure tenure) {
        OptionalLong last = tenure.lastUsedTick();
        if (last.isEmpty()) {
            return false;
        }
        Long floor = found.floor();
        boolean handsOver = !isAsLeft(tenure) && floor != null && floor <= last.getAsLong();
        return handsOver || found.ceiling() < last.getAsLong();
    }
}
