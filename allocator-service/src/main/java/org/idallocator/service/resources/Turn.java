package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.server.Request;

/** A request's turn to have work done for it. It begins on one thread at a time, and ends on any. */
final class Turn {
    private static final String ATTRIBUTE = Turn.class.getName();

    private final Semaphore turns;
    private final Duration patience;
    private final AtomicBoolean kept = new AtomicBoolean();

    /** A request's turn, which has not begun. Where none has come within the patience, the request goes on without one. */
    Turn(Semaphore turns, Duration patience, Request request) {
        this.turns = turns;
        this.patience = patience;
        request.setAttribute(ATTRIBUTE, this);
    }

    /** That of a request; empty where it needs none. */
    static Optional<Turn> of(HttpServletRequest request) {
        return Optional.ofNullable((Turn) request.getAttribute(ATTRIBUTE));
    }

    /** Waits until it is the request's turn, unless it is. An interrupted thread waits for nothing. */
    void begin() {
        try {
            if (!kept.get() && turns.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                kept.set(true);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets others have their turn, if it was this one's. */
    void end() {
        if (kept.compareAndSet(true, false)) {
            turns.release();
        }
    }
}
