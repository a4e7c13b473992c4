package org.idallocator.service.server;

import java.nio.channels.SelectableChannel;
import org.eclipse.jetty.io.SelectorManager;
import org.idallocator.core.clock.Clock;

/**
 * Bounds how fast a port accepts connections. A selector handles all connections that came since its last look before
 * it looks again. If thousands of clients connected in that time, all other clients would wait for them. While clients
 * connect faster, they wait in the operating system. Thread-safe; waits on the accepting thread.
 */
final class AcceptPace implements SelectorManager.AcceptListener {
    /**
     * The least time from one connection to the next, in nanoseconds. A thread takes some 60,000 more to wake up, so a
     * port accepts some 6,000 connections a second. Without this, clients that connect again whenever they are cut off
     * kept single IDs waiting for 0.3 to 1 s ({@code bench.jar overload bodies}).
     */
    static final long LEAST_NANOS = 100_000;

    private final Clock clock;
    private long acceptedNanos;

    /** The pace of one port. */
    AcceptPace(Clock clock) {
        this.clock = clock;
        acceptedNanos = clock.nanos() - LEAST_NANOS;
    }

    @Override
    public synchronized void onAccepting(SelectableChannel channel) {
        long restNanos = LEAST_NANOS - (clock.nanos() - acceptedNanos);
        if (restNanos > 0) {
            clock.park(restNanos);
        }
        acceptedNanos = clock.nanos();
    }
}
