package org.idallocator.zk.lease;

import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.idallocator.core.fence.FencedException;
import org.jspecify.annotations.Nullable;

/**
 * What operators have asked of this replica: to be drained or not, and for other slots. Any thread asks; the lease thread obeys, in
 * its steps ({@link Drain}, {@link Rotator}). Thread-safe.
 */
final class Orders {
    private final Gate gate;
    private final Queue<Rotation> rotations = new ConcurrentLinkedQueue<>();
    private Draining draining = new Draining();

    Orders(Gate gate) {
        this.gate = gate;
    }

    /** Whether this replica serves. */
    Gate gate() {
        return gate;
    }

    /** Drains this replica. Until all slots are given back, this is the drain that is under way already, if there is one. */
    synchronized Draining drain() {
        boolean before = gate.drained() && draining.givenBack().isDone();
        if (!gate.drained() || before) {
            draining = new Draining();
        }
        gate.drain();
        if (!gate.drained()) {
            draining.end(false); // closed
        } else if (before) {
            draining.end(true);
        }
        return draining;
    }

    /** Ends a drain; says whether there was one. Whoever still waits for its end is told that not all was given back. */
    synchronized boolean resume() {
        boolean was = gate.drained();
        gate.resume();
        draining.end(false);
        return was;
    }

    /** The replica is closed: nobody waits any more. */
    synchronized void close() {
        gate.close();
        draining.end(false);
    }

    /** Nothing is held any more by a replica that was found drained. */
    synchronized void gaveBack() {
        if (gate.drained()) {
            draining.end(true);
        }
    }

    /** A replica that was found drained has these to give back. */
    synchronized void givesBack(List<Tenure> tenures) {
        if (gate.drained()) {
            draining.add(tenures);
        }
    }

    /** A step did not give all back for this reason; null where nothing hindered it. */
    synchronized void hindered(@Nullable FencedException why) {
        draining.hindered(why);
    }

    /** Asks for other slots of a scheme. Refused at once where this does not serve: then nobody may look at what waits any more. */
    void rotate(Rotation rotation) {
        rotations.add(rotation);
        gate.refusal().ifPresent(why -> {
            var unused = rotations.remove(rotation);
            rotation.refuse(why);
        });
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
