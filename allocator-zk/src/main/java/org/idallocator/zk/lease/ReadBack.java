package org.idallocator.zk.lease;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.lease.RecordHistory.Author;
import org.idallocator.zk.store.Session;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes.Found;

/**
 * What was read of a tenure's slot, and what that means for the tenure.
 *
 * <p>A slot is the tenure's if and only if the record is one of its own writes, by the bits, and nobody has taken the
 * lease away: it carries the tenure's nonce, or it ended with the session that it belonged to. A record with its nonce
 * and other bits was written by a copy of this process: setting it down would have the next tenure issue what the copy
 * has issued.
 *
 * @param generationThere whether the pool still has the generation that the tenure was claimed under
 * @param record the slot's record, whoever wrote it; empty where there is none
 * @param lease the slot's lease, whoever holds it; empty where there is none
 */
record ReadBack(boolean generationThere, Optional<Found<SlotRecord>> record, Optional<Found<LeaseNode>> lease) {
    /** What is to become of the record of a tenure that is released. */
    enum Settlement {
        /** The tenure sets its record down to the last tick that it has used. */
        SET_DOWN,
        /** Another tenure could use what this one has used: the record is raised to what is used or reserved. */
        RAISE,
        /** The record is none of the tenure's business, or says already what it should. */
        LEAVE
    }

    /** The record's version; empty where there is no record. */
    OptionalInt version() {
        return record.stream().mapToInt(Found::version).findFirst();
    }

    /**
     * Why the slot is not the tenure's; empty where it is. A payload that cannot be read is not the tenure's.
     *
     * @param session on which this was read. Only there does it say anything that a lease is gone: another session's
     *     ends with it
     */
    Optional<FenceReason> lost(Tenure tenure, Session session) {
        if (!generationThere) {
            return Optional.of(FenceReason.LAYOUT_CHANGED);
        }
        if (wasRevoked(tenure)) {
            return Optional.of(FenceReason.LEASE_GONE);
        }
        if (!isAsLeft(tenure)) {
            return Optional.of(FenceReason.RECORD_TAKEN);
        }
        if (lease.isEmpty()) {
            return tenure.isOn(session) ? Optional.of(FenceReason.LEASE_GONE) : Optional.empty();
        }
        boolean ours = hasLeaseOf(tenure) && (isLeaseOn(session) || !tenure.isOn(session));
        return ours ? Optional.empty() : Optional.of(FenceReason.LEASE_REPLACED);
    }

    /** Whether there is a lease that belongs to this session. */
    boolean isLeaseOn(Session session) {
        return lease.filter(held -> held.node().owner() == session.id()).isPresent();
    }

    /** Whether an operator took the slot away from the tenure. */
    private boolean wasRevoked(Tenure tenure) {
        return record.flatMap(Found::readable)
                .filter(found -> found.revokes(tenure.nonce()))
                .isPresent();
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

    /**
     * Whether the record is the tenure's to set down: it carries the tenure's nonce, was not released, and no copy
     * wrote it.
     */
    boolean hasRecordOf(Tenure tenure) {
        return record.flatMap(Found::readable)
                .filter(found -> found.isOf(tenure.nonce()) && tenure.record().author(found) != Author.COPY)
                .isPresent();
    }

    /**
     * Whether the tenure ever held its slot: it served, or what was read back, now or before an earlier try to release
     * it, shows that its claim was made. Else it has issued nothing, no lease ends with it, and what its generator
     * counts as used is the last holder's: the slot's record is none of its business.
     */
    boolean wasClaimed(Tenure tenure) {
        return tenure.hasServed()
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
     * Whether another tenure could use what this one has used, because somebody who is no replica wrote the record. Not
     * so where the record is as this tenure has left it. A successor's that hands over in the same tick is taken for a
     * stranger's: nobody can tell the two apart, and the next tenure begins above both.
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
