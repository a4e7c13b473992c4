package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Number 0 of tick 9 is used. One thread's recent time still says 9, another's clock has stepped back to 5 and goes on
 * to 9 on the other timeline. The first takes of 9 on whichever timeline is in use, and the timeline left behind counts
 * as used up to 9.
 */
@JCStressTest
@Outcome(id = "901, 510, 910, 9", expect = ACCEPTABLE, desc = "Taken, then stepped back and on.")
@Outcome(id = "-1, 510, 910, 9", expect = ACCEPTABLE, desc = "Looked while 5 was in use.")
@Outcome(id = "911, 510, 910, 9", expect = ACCEPTABLE, desc = "Looked when the other had gone on to 9.")
@State
public class OneStepBackStress {
    private final TickSequence sequence = Sequences.used(Sequences.tickTocking(4), 9, 1);

    @Actor
    public void takesOne(IIII_Result r) {
        r.r1 = Sequences.takeOne(sequence, 9);
    }

    @Actor
    public void stepsBack(IIII_Result r) {
        r.r2 = Sequences.take(sequence, 5, 1);
        r.r3 = Sequences.take(sequence, 9, 1);
    }

    @Arbiter
    public void after(IIII_Result r) {
        r.r4 = (int) sequence.snapshot().wallSafe();
    }
}
