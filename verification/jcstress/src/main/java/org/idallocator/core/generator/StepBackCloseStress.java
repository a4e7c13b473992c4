package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * One thread steps back from tick 9 and then goes on to 10, another closes: what close returns covers all that was
 * taken.
 */
@JCStressTest
@Outcome(id = "-2, -2, 9", expect = ACCEPTABLE, desc = "Closed first, or after entering 5 but before taking from it.")
@Outcome(id = "510, -2, 9", expect = ACCEPTABLE, desc = "Stepped back, closed: the highest is on the timeline left.")
@Outcome(id = "510, 1010, 10", expect = ACCEPTABLE, desc = "Stepped back, went on there, closed.")
@State
public class StepBackCloseStress {
    private final TickSequence sequence = Sequences.used(Sequences.tickTocking(4), 9, 1);

    @Actor
    public void takes(III_Result r) {
        r.r1 = Sequences.take(sequence, 5, 1);
        r.r2 = Sequences.take(sequence, 10, 1);
    }

    @Actor
    public void closes(III_Result r) {
        r.r3 = (int) sequence.close();
    }
}
