package org.idallocator.dropwizard.ids;

/** Hears of every answer that is drawn from one scheme. Thread-safe. */
public interface IdListener {
    /** So many IDs were drawn for one answer, also where the answer failed afterwards. */
    void issued(long ids);

    /**
     * What is drawn for an answer had to wait for so many nanoseconds, 1 or more, also where it failed afterwards. A
     * large answer may wait again and again.
     *
     * @param first whether this answer had not waited before
     */
    default void waited(long nanos, boolean first) {}

    /** An answer could not be drawn to its end. */
    void failed(RuntimeException why);
}
