package org.idallocator.service.server;

import java.nio.channels.SelectableChannel;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.io.SelectorManager;

/**
 * Lets the thread that accepts connections rest after each connection. A selector handles all connections that came
 * since its last look before it looks again. If thousands of clients connected in that time, all other clients would
 * wait for them. Meanwhile, new clients wait in the operating system. Thread-safe; waits on the accepting thread.
 */
final class AcceptPace implements SelectorManager.AcceptListener {
    /**
     * The rest in nanoseconds. Together with the time that a thread takes to wake up, it allows some 6,000 connections
     * a second on each port. Beside the 10,000 clients of {@code bench.jar overload} that connect again whenever they
     * are cut off, single IDs waited 0.3 to 1 s without this rest, and 40 ms with it.
     */
    private static final long REST_NANOS = 100_000;

    @Override
    public void onAccepting(SelectableChannel channel) {
        LockSupport.parkNanos(REST_NANOS);
    }
}
