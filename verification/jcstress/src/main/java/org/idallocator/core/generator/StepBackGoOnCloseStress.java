package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * One thread steps back from tick 9, one goes on to 10 and one closes: what close returns covers all that was taken.
 *
 * <p>jcstress leaves this out on fewer than three cores.
 */
@JCStressTest
@Outcome(id = "-2, -2, 9", expect = ACCEPTABLE, desc = "Closed first: tick 9 was used before.")
@Outcome(id = "510, -2, 9", expect = ACCEPTABLE, desc = "Stepped back, closed: the highest is on the timeline left.")
@Outcome(id = "-2, 1000, 10", expect = ACCEPTABLE, desc = "Went on, closed: the step back never happened.")
@Outcome(id = "510, 1000, 10", expect = ACCEPTABLE, desc = "Went on, stepped back, closed.")
@Outcome(id = "510, 1010, 10", expect = ACCEPTABLE, desc = "Stepped back, went on there, closed.")
@Outcome(id = "-2, 1010, 10", expect = ACCEPTABLE, desc = "Entered 5, the other went on, closed before 5 was taken.")
@Outcome(id = "-1, 1010, 10", expect = ACCEPTABLE, desc = "Entered 5, but the other went on: 5 is not safe, so wait.")
@State
public class StepBackGoOnCloseStress {
    private final TickSequence sequence = Sequences.used(Sequences.tickTocking(4), 9, 1);

    @Actor
    public void stepsBack(III_Result r) {
        r.r1 = Sequences.take(sequence, 5, 1);
    }

    @Actor
    public void goesOn(III_Result r) {
        r.r2 = Sequences.take(sequence, 10, 1);
    }

    @Actor
    public void closes(III_Result r) {
        r.r3 = (int) sequence.close();
    }
}
