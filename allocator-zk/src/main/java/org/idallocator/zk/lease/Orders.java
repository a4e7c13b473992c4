package org.idallocator.zk.lease;

import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.idallocator.core.fence.FencedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators have asked of this replica: to be drained or not, and for other slots. Any thread asks; the lease thread obeys, in
 * its steps ({@link Drain}, {@link Rotator}). Thread-safe.
 */
final class Orders {
    private static final Logger LOG = LoggerFactory.getLogger(Orders.class);

    private final Gate gate;
    private final Queue<Rotation> rotations = new ConcurrentLinkedQueue<>();
    private @Nullable Draining draining; // announced, or being carried out

    Orders(Gate gate) {
        this.gate = gate;
    }

    /** Whether this replica serves. */
    Gate gate() {
        return gate;
    }

    /**
     * Announces a drain: this replica serves on, and is to get no more requests. Where one is announced already, or is being carried
     * out, it is that one. It is at its end where this replica is drained and has given all back, and where it is closed.
     */
    synchronized Draining announce() {
        if (draining == null) {
            Draining next = new Draining();
            if (gate.refusal().isPresent()) {
                next.end(gate.drained());
                return next;
            }
            LOG.info("a drain is announced: this replica says that it is not ready, and serves on for a while");
            draining = next;
        }
        return draining;
    }

    /** Carries out a drain that was announced: from now on nobody is served. Does nothing where that drain was ended meanwhile. */
    synchronized void carryOut(Draining announced) {
        if (announced == draining && !gate.drained()) {
            LOG.info("drained: nobody is served from now on, and all slots are being given back");
            gate.drain();
        }
    }

    /** Drains this replica without a notice. */
    synchronized Draining drain() {
        Draining announced = announce();
        carryOut(announced);
        return announced;
    }

    /** Whether a drain is announced, and not carried out yet. */
    synchronized boolean leaving() {
        return draining != null && !gate.drained();
    }

    /**
     * Ends a drain, also one that is only announced; says whether there was one. Whoever still waits for its end is told that not all
     * was given back.
     */
    synchronized boolean resume() {
        boolean was = gate.drained() || draining != null;
        if (was) {
            LOG.info("resumed: slots that were given back are claimed again");
        }
        gate.resume();
        end(false);
        return was;
    }

    /** The replica is closed: nobody waits any more. */
    synchronized void close() {
        gate.close();
        end(false);
    }

    /** Nothing is held any more by a replica that was found drained. */
    synchronized void gaveBack() {
        if (gate.drained()) {
            end(true);
        }
    }

    private void end(boolean all) {
        if (draining != null) {
            draining.end(all);
            draining = null;
        }
    }

    /** A replica that was found drained has these to give back. */
    synchronized void givesBack(List<Tenure> tenures) {
        if (draining != null && gate.drained()) {
            draining.add(tenures);
        }
    }

    /** A step did not give all back for this reason; null where nothing hindered it. */
    synchronized void hindered(@Nullable FencedException why) {
        if (draining != null && gate.drained()) {
            draining.hindered(why);
        }
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
