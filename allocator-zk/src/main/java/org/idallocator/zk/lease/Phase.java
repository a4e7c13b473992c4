package org.idallocator.zk.lease;

/** Where a tenure is in its life. */
enum Phase {
    /** Its claim is being made, or was made and nobody draws yet. */
    CLAIMING,
    /** Callers draw from it, and the lease loop renews it. Its fence may have tripped meanwhile. */
    SERVING,
    /** Its fence has tripped, the lease loop has seen that, and callers draw from it no more. */
    FENCED,
    /** Its generator is closed, so that its last used tick is final. It is to be released. */
    CLOSED,
    /** Nothing of it is left to release, or the rest ends with its session. */
    GONE;

    /**
     * Whether a tenure may go on from here to there. Only a tenure that nobody has drawn from ends without being fenced
     * first.
     */
    boolean leadsTo(Phase next) {
        return switch (this) {
            case CLAIMING -> next == SERVING || next == CLOSED || next == GONE;
            case SERVING -> next == FENCED;
            case FENCED -> next == CLOSED;
            case CLOSED -> next == GONE;
            case GONE -> false;
        };
    }
}
