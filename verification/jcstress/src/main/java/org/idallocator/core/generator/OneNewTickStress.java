package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * One thread's late clock is still in tick 5, another enters tick 6. The late thread takes of 5 before that, or not at
 * all.
 */
@JCStressTest
@Outcome(id = "501, 600, 6", expect = ACCEPTABLE, desc = "Taken of 5, which was in use; then 6 was entered.")
@Outcome(id = "-1, 600, 6", expect = ACCEPTABLE, desc = "6 was entered first, and nothing more is taken of 5.")
@State
public class OneNewTickStress {
    private final TickSequence sequence = Sequences.used(Sequences.plain(4), 5, 1);

    @Actor
    public void late(III_Result r) {
        r.r1 = Sequences.takeOne(sequence, 5);
    }

    @Actor
    public void enters(III_Result r) {
        r.r2 = Sequences.take(sequence, 6, 1);
    }

    @Arbiter
    public void after(III_Result r) {
        r.r3 = (int) sequence.close();
    }
}
