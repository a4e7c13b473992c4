package org.idallocator.zk.operator;

/** What became of an operator's wish to take a slot from a tenure. */
public enum Outcome {
    /** It was done. */
    DONE,
    /** Nobody holds the slot; the tenure had left it already. */
    GONE_ALREADY,
    /** Another tenure holds the slot; nothing was done. */
    HELD_BY_ANOTHER
}
