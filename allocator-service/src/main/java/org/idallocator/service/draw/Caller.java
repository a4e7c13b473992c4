package org.idallocator.service.draw;

/** Whoever waits for an answer. */
public interface Caller {
    /** Whether the caller still waits: false once it is known that nobody will read the answer. Does not block. */
    boolean waits();

    /** The draw is about to wait for a tick: whatever is kept for the work of this caller may be given to others. Does not block. */
    default void rests() {
        // nothing is kept for most
    }

    /** There is work for this caller again, after its bytes were taken. May wait for others, for whom work is done; not for long. */
    default void worksOn() {
        // as above
    }
}
