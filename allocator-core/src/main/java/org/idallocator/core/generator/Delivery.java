package org.idallocator.core.generator;

import org.idallocator.core.id.IdSink;

/**
 * Hands IDs to a caller's sink, and knows whether what was thrown is the sink's own doing. Where a sink throws, the draw is
 * over, whatever the exception says. For one draw; not thread-safe.
 */
final class Delivery implements IdSink {
    private final IdSink sink;
    private boolean underWay;

    Delivery(IdSink sink) {
        this.sink = sink;
    }

    @Override
    public void accept(long high, long low) {
        underWay = true;
        sink.accept(high, low);
        underWay = false;
    }

    /** Whether the sink was called and did not return: then it has thrown. */
    boolean broken() {
        return underWay;
    }
}
