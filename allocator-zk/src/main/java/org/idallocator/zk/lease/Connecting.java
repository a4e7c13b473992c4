package org.idallocator.zk.lease;

import java.time.Duration;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.store.StoreException;

/**
 * Tells a replica that is just starting from one that cannot reach ZooKeeper. An orderly start has no connection for a moment:
 * for {@link #USUAL}, or until the replica has announced itself, nothing is wrong.
 *
 * @param address where ZooKeeper is, as configured
 * @param clock this replica's clock
 * @param startedNanos when the replica started, by that clock
 */
record Connecting(String address, Clock clock, long startedNanos) {
    /** How long a first connection usually takes at most. */
    static final Duration USUAL = Duration.ofSeconds(2);

    static Connecting fromNow(String address, Clock clock) {
        return new Connecting(address, clock, clock.nanos());
    }

    /**
     * Whether nothing but an orderly start shows in this failure.
     *
     * @param everJoined whether the replica has ever announced itself
     */
    boolean usual(StoreException e, boolean everJoined) {
        return e.kind() == StoreException.Kind.UNCERTAIN
                && !everJoined
                && clock.nanos() - startedNanos < USUAL.toNanos();
    }

    /** What callers are told of a failure, which names the address where ZooKeeper does not answer. */
    FencedException refusal(StoreException e, boolean everJoined) {
        if (usual(e, everJoined)) {
            return Fencing.of(FenceReason.STARTING, "connecting to ZooKeeper at " + address);
        }
        return e.kind() == StoreException.Kind.UNCERTAIN
                ? Fencing.of(FenceReason.UNREACHABLE, address + ": " + e.getMessage())
                : Fencing.of(e);
    }
}
