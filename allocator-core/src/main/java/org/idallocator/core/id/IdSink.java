package org.idallocator.core.id;

/** Receives IDs as bits, aligned as in {@link Id}, in the thread that draws. An exception of the sink ends the draw. */
@FunctionalInterface
public interface IdSink {
    void accept(long high, long low);
}
