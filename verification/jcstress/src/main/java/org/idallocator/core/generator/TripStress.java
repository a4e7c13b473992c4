package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * One thread draws twice, another trips the fence and then draws. A draw that asked the fence before may still issue; a
 * draw that begins after trip has returned does not.
 */
@JCStressTest
@Outcome(id = "500, 501, -2", expect = ACCEPTABLE, desc = "Both draws asked before the fence tripped.")
@Outcome(id = "500, -2, -2", expect = ACCEPTABLE, desc = "Tripped between the draws: one issued, one threw.")
@Outcome(id = "-2, -2, -2", expect = ACCEPTABLE, desc = "Tripped first: nothing was issued.")
@State
public class TripStress {
    private final Fence fence = Sequences.open(1_000);
    private final TickSequence sequence = Sequences.plain(4, fence);

    @Actor
    public void draws(III_Result r) {
        r.r1 = Sequences.take(sequence, 5, 1);
        r.r2 = Sequences.take(sequence, 5, 1);
    }

    @Actor
    public void trips(III_Result r) {
        fence.trip(FenceReason.LEASE_GONE, "node deleted");
        r.r3 = Sequences.take(sequence, 5, 1);
    }
}
