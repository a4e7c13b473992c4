package org.idallocator.zk.operator;

/** What came of an operator's request to take a slot away from a tenure. */
public enum Outcome {
    /** The tenure lost its lease. */
    DONE,
    /** Nobody holds the slot: the tenure had lost or released it already. */
    GONE_ALREADY,
    /** Another tenure holds the slot; nothing was done. */
    HELD_BY_ANOTHER
}
