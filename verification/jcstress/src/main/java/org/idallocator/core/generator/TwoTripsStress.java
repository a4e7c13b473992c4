package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/**
 * Two threads trip a fence for different reasons, and both are told the same one. Afterwards a draw above the ceiling,
 * which would be a third reason, is told that one too.
 */
@JCStressTest
@Outcome(id = "LEASE_GONE, LEASE_GONE, LEASE_GONE", expect = ACCEPTABLE, desc = "The first reason stays.")
@Outcome(id = "SESSION_LOST, SESSION_LOST, SESSION_LOST", expect = ACCEPTABLE, desc = "The second reason stays.")
@State
public class TwoTripsStress {
    private final Fence fence = Sequences.open(5);

    @Actor
    public void leaseGone(LLL_Result r) {
        r.r1 = fence.trip(FenceReason.LEASE_GONE, "node deleted").reason();
    }

    @Actor
    public void sessionLost(LLL_Result r) {
        r.r2 = fence.trip(FenceReason.SESSION_LOST, "session 0x1").reason();
    }

    @Arbiter
    public void after(LLL_Result r) {
        try {
            fence.check(6);
        } catch (FencedException e) {
            r.r3 = e.reason();
        }
    }
}
