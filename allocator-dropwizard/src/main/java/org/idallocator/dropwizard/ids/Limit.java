package org.idallocator.dropwizard.ids;

import java.util.Locale;

/** What {@link Limits} bound. */
public enum Limit {
    /** Large answers that are being sent. */
    STREAMS,
    /** Requests of the application port. */
    REQUESTS,
    /** Bodies of requests that are being read. */
    BODIES,
    /** Connections of all ports. */
    CONNECTIONS;

    /** The last part of the key. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
