package org.idallocator.zk.lease;

import java.util.HashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes;

/**
 * What a tenure knows of its slot's record by its own writes: the version at which it last saw the record, and what it
 * has left there or may have left. All writes that were sent since the last confirmed one are conditional on the same
 * version, so that one of them at most was made. Confined to the lease loop's thread.
 */
final class RecordHistory {
    /** Whose writing a record is. */
    enum Author {
        /** This tenure's, by the bits of the write. */
        OURS,
        /** A copy of this process: the record has the tenure's nonce, and bits that the tenure does not know. */
        COPY,
        /** Anybody else's. */
        OTHER
    }

    private final String nonce;
    private final Set<SlotRecord> mayHaveLeft = new HashSet<>(); // without fields that this software only keeps
    private OptionalInt version = OptionalInt.empty();

    /** Of a tenure with this nonce, which has written nothing. */
    RecordHistory(String nonce) {
        this.nonce = nonce;
    }

    /** The version at which the record was last seen; empty where it may be at any. */
    OptionalInt version() {
        return version;
    }

    /** From now on the record may be at any version. */
    void forgetVersion() {
        version = OptionalInt.empty();
    }

    /**
     * Notes that the tenure is about to write this record as its own: from now on the slot's record may be that one.
     * Every record that a tenure sends as its own gets its bits here, so that none is sent that was not noted: else the
     * tenure would take its own writing for a copy's where the answer is lost.
     *
     * @param nodes give the write bits of its own
     * @return the record as it is to be sent, with these bits
     */
    SlotRecord noteSending(SlotRecord record, Znodes nodes) {
        SlotRecord sent = nodes.withBits(record);
        mayHaveLeft.add(sent.keeping(Map.of()));
        return sent;
    }

    /**
     * Notes that the record is as this tenure has left it, at this version. What was sent before that and not made can
     * be made no more.
     */
    void confirm(int confirmed, SlotRecord made) {
        if (version.isEmpty() || version.getAsInt() != confirmed) {
            mayHaveLeft.clear();
            mayHaveLeft.add(made.keeping(Map.of()));
        }
        version = OptionalInt.of(confirmed);
    }

    /**
     * Whose writing a record is. A nonce alone tells nothing: a copy of this process has it, too, and writes other
     * bits.
     */
    Author author(SlotRecord found) {
        if (mayHaveLeft.contains(found.keeping(Map.of()))) {
            return Author.OURS;
        }
        return found.isOf(nonce) && found.write() != null ? Author.COPY : Author.OTHER;
    }

    /** Whether the tenure may have left a record that others may go on from. */
    boolean hasReleased() {
        return mayHaveLeft.stream().anyMatch(SlotRecord::released);
    }
}
