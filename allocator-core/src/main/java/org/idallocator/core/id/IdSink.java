package org.idallocator.core.id;

/** Takes IDs as bits, without garbage; {@link Id} says how they are aligned. */
@FunctionalInterface
public interface IdSink {
    void accept(long high, long low);
}
