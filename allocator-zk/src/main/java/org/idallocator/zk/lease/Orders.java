package org.idallocator.zk.lease;

import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What operators have asked of this replica: to be drained or not, and for other slots. Any thread asks; the lease thread obeys, in
 * its steps ({@link Drain}, {@link Rotator}). Thread-safe.
 */
final class Orders {
    private final Gate gate;
    private final Queue<Rotation> rotations = new ConcurrentLinkedQueue<>();
    private CompletableFuture<Boolean> givenBack = new CompletableFuture<>();

    Orders(Gate gate) {
        this.gate = gate;
    }

    /** Whether this replica serves. */
    Gate gate() {
        return gate;
    }

    /** Drains this replica; the answer completes with true when all slots are given back, and with false where it is resumed or closed before. */
    synchronized CompletableFuture<Boolean> drain() {
        if (!gate.drained()) {
            givenBack = new CompletableFuture<>();
        }
        gate.drain();
        if (!gate.drained()) {
            givenBack.complete(false); // closed
        }
        return givenBack;
    }

    /** Ends a drain; says whether there was one. Whoever still waits for its end is told that not all was given back. */
    synchronized boolean resume() {
        boolean was = gate.drained();
        gate.resume();
        givenBack.complete(false);
        return was;
    }

    /** The replica is closed: nobody waits any more. */
    synchronized void close() {
        gate.close();
        givenBack.complete(false);
    }

    /** Nothing is held any more by a replica that was found drained. */
    synchronized void gaveBack() {
        if (gate.drained()) {
            givenBack.complete(true);
        }
    }

    /** Asks for other slots of a scheme. */
    void rotate(Rotation rotation) {
        rotations.add(rotation);
    }

    /** Whether a rotation waits for its step. */
    boolean rotationsWait() {
        return !rotations.isEmpty();
    }

    /** The next rotation, which is now the caller's to end or to refuse. */
    Optional<Rotation> nextRotation() {
        return Optional.ofNullable(rotations.poll());
    }
}
