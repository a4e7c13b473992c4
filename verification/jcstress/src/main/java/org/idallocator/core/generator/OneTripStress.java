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
 * One thread takes one number after the other, another trips the fence and then does so too. What asked the fence
 * before may still take; what begins after trip has returned does not, and late time changes nothing about that.
 */
@JCStressTest
@Outcome(id = "501, 502, -2", expect = ACCEPTABLE, desc = "Both asked before the fence tripped.")
@Outcome(id = "501, -2, -2", expect = ACCEPTABLE, desc = "Tripped between the two.")
@Outcome(id = "-2, -2, -2", expect = ACCEPTABLE, desc = "Tripped first: nothing was taken.")
@State
public class OneTripStress {
    private final Fence fence = Sequences.open(1_000);
    private final TickSequence sequence = Sequences.used(Sequences.plain(4, fence), 5, 1);

    @Actor
    public void draws(III_Result r) {
        r.r1 = Sequences.takeOne(sequence, 5);
        r.r2 = Sequences.takeOne(sequence, 5);
    }

    @Actor
    public void trips(III_Result r) {
        fence.trip(FenceReason.LEASE_GONE, "node deleted");
        r.r3 = Sequences.takeOne(sequence, 5);
    }
}
