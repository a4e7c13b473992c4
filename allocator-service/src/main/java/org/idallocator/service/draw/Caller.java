package org.idallocator.service.draw;

/** Whoever waits for an answer. */
public interface Caller {
    /** Waits for ever. */
    Caller PATIENT = () -> true;

    /** Whether the caller still waits: false once it is known that nobody will read the answer. Does not block. */
    boolean waits();
}
