package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * One thread's clock has stepped back from 9 to 5, the other's has not; number 0 of tick 9 is used. Afterwards a thread
 * whose clock reads 9 must get a number that neither has, on the timeline that is then in use.
 */
@JCStressTest
@Outcome(id = "510, 901, 910", expect = ACCEPTABLE, desc = "Taken, stepped back: 9 is unused on the other timeline.")
@Outcome(id = "510, 910, 911", expect = ACCEPTABLE, desc = "Stepped back, taken, which caught up on the other one.")
@Outcome(id = "-1, 910, 911", expect = ACCEPTABLE, desc = "The other caught up in between: 5 is not safe, so wait.")
@State
public class StepBackStress {
    private final TickSequence sequence = Sequences.used(Sequences.tickTocking(4), 9, 1);

    @Actor
    public void steppedBack(III_Result r) {
        r.r1 = Sequences.take(sequence, 5, 1);
    }

    @Actor
    public void takes(III_Result r) {
        r.r2 = Sequences.take(sequence, 9, 1);
    }

    @Arbiter
    public void after(III_Result r) {
        r.r3 = Sequences.take(sequence, 9, 1);
    }
}
