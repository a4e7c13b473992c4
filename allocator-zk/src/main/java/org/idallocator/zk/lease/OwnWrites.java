package org.idallocator.zk.lease;

import java.util.HashSet;
import java.util.Set;

/**
 * Tells whether a change of a tenure's record is the tenure's own, by the number of the transaction. Only one thread writes; the
 * news of a change comes from another, before the answer to the write or after it. Thread-safe.
 *
 * <p>While a write is under way, a change may be its own. What comes of the write tells: a plain OK names its transaction, and
 * anything else is read back. Then the record is as the last confirmed write has left it, or as one of those that were sent since
 * would: all of them are conditional on the same version, so that one of them at most was made. A nonce alone tells nothing, as
 * somebody may have copied it.
 */
final class OwnWrites {
    private boolean writing = true; // the claim
    private final Set<Long> sentCeilings = new HashSet<>(); // since the last confirmed write
    private int sentVersion;
    private long confirmed;
    private long told;

    /** A write is about to be sent, which is conditional on this version and reserves up to this ceiling. */
    synchronized void begin(int version, long ceiling) {
        writing = true;
        sentVersion = version;
        sentCeilings.add(ceiling);
    }

    /**
     * Whether a record that reserves for this tenure is as one of its own writes has left it.
     *
     * @param version the record's version, as it was read
     * @param transaction the transaction that last wrote it
     * @param ceiling up to where it reserves
     */
    synchronized boolean mayHaveLeft(int version, long transaction, long ceiling) {
        return transaction == confirmed || (version == sentVersion + 1 && sentCeilings.contains(ceiling));
    }

    /**
     * The record is as this transaction has left it: a write was confirmed, or the record was read back and found to be ours.
     *
     * @return whether somebody else has written since, as far as the news has come
     */
    synchronized boolean settled(long transaction) {
        writing = false;
        if (transaction != confirmed) {
            sentCeilings.clear();
        }
        confirmed = transaction;
        return told > confirmed;
    }

    /** The record was changed in this transaction, whoever did that. Returns whether it is known that somebody else did. */
    synchronized boolean isStrangers(long transaction) {
        told = Math.max(told, transaction);
        return !writing && transaction > confirmed;
    }
}
