package org.idallocator.service.draw;

/** Whoever waits for an answer. */
public interface Caller {
    /** Whether the caller still waits: false once it is known that nobody will read the answer. Does not block. */
    boolean waits();
}
