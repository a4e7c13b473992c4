package org.idallocator.zk.lease;

/**
 * Tells whether a change of a tenure's record is the tenure's own, by the number of the transaction. Only one thread writes; the
 * news of a change comes from another, before the answer to the write or after it. Thread-safe.
 *
 * <p>While a write is under way, a change may be its own. What comes of the write tells: a plain OK names its transaction, and
 * anything else is read back.
 */
final class OwnWrites {
    private boolean writing = true; // the claim
    private long confirmed;
    private long told;

    /** A write is about to be sent. */
    synchronized void begin() {
        writing = true;
    }

    /**
     * The record is as this transaction has left it: a write was confirmed, or the record was read back and found to be ours.
     *
     * @return whether somebody else has written since, as far as the news has come
     */
    synchronized boolean settled(long transaction) {
        writing = false;
        confirmed = transaction;
        return told > confirmed;
    }

    /** The record was changed in this transaction, whoever did that. Returns whether it is known that somebody else did. */
    synchronized boolean isStrangers(long transaction) {
        told = Math.max(told, transaction);
        return !writing && transaction > confirmed;
    }
}
