package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLLL_Result;

/**
 * One thread moves the ceiling to 6 and draws at tick 6; another trips the fence and then tries to move the ceiling
 * further. An extension that begins after trip has returned has no effect.
 */
@JCStressTest
@Outcome(id = "true, 600, false, 6", expect = ACCEPTABLE, desc = "Extended and drawn, then tripped.")
@Outcome(id = "true, -2, false, 6", expect = ACCEPTABLE, desc = "Tripped in between, or after extend found it open.")
@Outcome(id = "false, -2, false, 5", expect = ACCEPTABLE, desc = "Tripped first: the ceiling stays.")
@State
public class ExtendTripStress {
    private final Fence fence = Sequences.open(5);
    private final TickSequence sequence = Sequences.plain(4, fence);

    @Actor
    public void renews(LLLL_Result r) {
        r.r1 = fence.extend(6, 1);
        r.r2 = Sequences.take(sequence, 6, 1);
    }

    @Actor
    public void trips(LLLL_Result r) {
        fence.trip(FenceReason.LEASE_GONE, "node deleted");
        r.r3 = fence.extend(7, 1);
    }

    @Arbiter
    public void after(LLLL_Result r) {
        r.r4 = fence.ceilingTick();
    }
}
