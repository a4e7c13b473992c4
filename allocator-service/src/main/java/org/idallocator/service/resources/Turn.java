package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.server.Request;

/** A request's turn to have work done for it. Thread-safe. */
final class Turn {
    private static final String ATTRIBUTE = Turn.class.getName();

    private final Semaphore turns;
    private final AtomicBoolean kept;

    private Turn(Semaphore turns, boolean kept) {
        this.turns = turns;
        this.kept = new AtomicBoolean(kept);
    }

    /** Waits for a turn of a request; where none has come within the patience, the request goes on without one. */
    static Turn take(Semaphore turns, Duration patience, Request request) throws InterruptedException {
        Turn turn = new Turn(turns, turns.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS));
        request.setAttribute(ATTRIBUTE, turn);
        return turn;
    }

    /** Ends the turn of a request that may have one: from now on it waits, or is over. */
    static void end(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof Turn turn) {
            turn.end();
        }
    }

    /** Gives the turn back, once. */
    void end() {
        if (kept.compareAndSet(true, false)) {
            turns.release();
        }
    }
}
