package org.idallocator.dropwizard.ids;

import java.util.Locale;

/** The kinds of things that {@link Limits} bound. */
public enum Limit {
    /** Large answers that are being sent. */
    STREAMS,
    /** Requests of the application port. */
    REQUESTS,
    /** Bodies of requests that are being read. */
    BODIES,
    /** Connections of all ports. */
    CONNECTIONS;

    /** The last part of the limit's key in the configuration. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
