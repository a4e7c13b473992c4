package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.idallocator.core.fence.Fence;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The deadline is 1 ns. One thread's time is late, another's is past the deadline, and it notices. Once it has, nobody
 * takes anything, whatever their time says.
 */
@JCStressTest
@Outcome(id = "501, -2, -2", expect = ACCEPTABLE, desc = "Taken by late time, before anybody had noticed.")
@Outcome(id = "-2, -2, -2", expect = ACCEPTABLE, desc = "Noticed first.")
@State
public class OneDeadlineStress {
    private final Fence fence = Sequences.open(1_000);
    private final TickSequence sequence = Sequences.used(Sequences.plain(4, fence), 5, 1);

    @Actor
    public void late(III_Result r) {
        Sequences.pass(0);
        r.r1 = Sequences.takeOne(sequence, 5);
    }

    @Actor
    public void notices(III_Result r) {
        Sequences.pass(1);
        r.r2 = Sequences.takeOne(sequence, 5);
        Sequences.pass(0);
    }

    @Arbiter
    public void after(III_Result r) {
        r.r3 = Sequences.takeOne(sequence, 5);
    }
}
