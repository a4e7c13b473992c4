package org.idallocator.service.server;

import java.nio.channels.SelectableChannel;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.io.SelectorManager;

/**
 * Has the thread that accepts connections rest after each. A selector works through all that came in since it looked
 * last, before it looks again: if thousands of clients connected within that time, everybody else would wait until
 * these are done. Those who want to connect meanwhile wait in the operating system. Thread-safe; waits, on the
 * accepting thread.
 */
final class AcceptPace implements SelectorManager.AcceptListener {
    /**
     * With the time that a thread takes to wake up, some 6,000 connections a second and port. Without, single IDs
     * waited 0.3 to 1 s beside 10,000 clients that connected again whenever they were cut off, and 40 ms so.
     */
    private static final long REST_NANOS = 100_000;

    @Override
    public void onAccepting(SelectableChannel channel) {
        LockSupport.parkNanos(REST_NANOS);
    }
}
