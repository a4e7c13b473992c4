package org.idallocator.zk.operator;

/** What came of an operator's request to revoke a tenure's lease. */
public enum Revocation {
    /** The tenure lost the slot, and cannot take it up again. */
    DONE,
    /**
     * Nobody holds the slot: the tenure, which was the last to hold it, had released it, or lost it to an operator,
     * already.
     */
    GONE_ALREADY,
    /** Nobody holds the slot, and the tenure was not the last to hold it: nobody ever did, or another tenure. */
    NOT_ITS_OWN,
    /** Another tenure holds the slot; nothing was done. */
    HELD_BY_ANOTHER
}
