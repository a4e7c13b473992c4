package org.idallocator.service.draw;

import java.util.Locale;

/** What {@link Limits} bound. */
public enum Limit {
    /** Large answers that are being sent. */
    STREAMS,
    /** Callers that wait for IDs. */
    WAITING,
    /** Requests for what an ID says. */
    READINGS,
    /** Requests for the routes. */
    REQUESTS;

    /** The last part of the key. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The place among the allocator's keys. */
    String key() {
        return "limits." + this;
    }
}
