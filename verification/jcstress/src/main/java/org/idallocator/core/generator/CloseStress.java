package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * One thread takes a number of tick 6, another closes the sequence; tick 5 is used. A release sets the slot's record
 * down to the tick that close returns.
 */
@JCStressTest
@Outcome(id = "600, 6, -2", expect = ACCEPTABLE, desc = "Taken, then closed: close counts what was taken.")
@Outcome(id = "-2, 5, -2", expect = ACCEPTABLE, desc = "Closed, then refused: close counts only tick 5.")
@State
public class CloseStress {
    private final TickSequence sequence = Sequences.used(Sequences.plain(4), 5, 1);

    @Actor
    public void takes(III_Result r) {
        r.r1 = Sequences.take(sequence, 6, 1);
    }

    @Actor
    public void closes(III_Result r) {
        r.r2 = (int) sequence.close();
    }

    @Arbiter
    public void after(III_Result r) {
        r.r3 = Sequences.take(sequence, 7, 1);
    }
}
