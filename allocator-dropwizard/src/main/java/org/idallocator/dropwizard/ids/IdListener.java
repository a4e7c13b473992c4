package org.idallocator.dropwizard.ids;

/** Is told of every answer that is drawn from one scheme. Implementations are thread-safe. */
public interface IdListener {
    /** {@code ids} IDs were drawn for one answer, which may have failed afterwards. */
    void issued(long ids);

    /**
     * The draw of an answer has waited for {@code nanos} nanoseconds, 1 or more. The answer may fail afterwards. A
     * large answer may wait many times.
     *
     * @param first whether the answer had not waited before
     */
    default void waited(long nanos, boolean first) {}

    /** An answer could not be drawn completely. */
    void failed(RuntimeException why);
}
