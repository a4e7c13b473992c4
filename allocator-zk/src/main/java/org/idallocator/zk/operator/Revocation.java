package org.idallocator.zk.operator;

/** What came of an operator's request to revoke a tenure's lease. */
public enum Revocation {
    /** The tenure lost its lease. */
    DONE,
    /** Nobody holds the slot: the tenure, which was the last to hold it, had lost or released it already. */
    GONE_ALREADY,
    /** Nobody holds the slot, and the tenure was not the last to hold it: nobody ever did, or another tenure. */
    NOT_ITS_OWN,
    /** Another tenure holds the slot; nothing was done. */
    HELD_BY_ANOTHER
}
