package org.idallocator.core.id;

/** Receives IDs as bits, without garbage; {@link Id} says how the bits are aligned. */
@FunctionalInterface
public interface IdSink {
    void accept(long high, long low);
}
