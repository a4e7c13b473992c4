package org.idallocator.core.generator;

/**
 * When a caller that waits may draw.
 *
 * @param home where it was booked
 * @param tick the tick from which on the caller draws
 * @param kind whose turn it is
 */
record Turn(Turns home, long tick, Kind kind) {

    enum Kind {
        /** A call for one ID. */
        SINGLE,
        /** A call for several. */
        BATCH,
        /** Any call, where nothing is shared: everybody draws as soon as there may be numbers. */
        UNSHARED
    }

    /** What a draw may ask for now, of {@code wanted} IDs. The turn of a batch ends with that. */
    Turns.Grant grant(int wanted) {
        return home.grant(this, wanted);
    }

    /** Ends the turn. */
    void end() {
        home.end(this);
    }
}
