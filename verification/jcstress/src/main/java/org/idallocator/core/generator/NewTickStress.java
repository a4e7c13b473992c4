package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * One thread enters a new tick. Another still takes from the old tick, of which number 0 is used, and then follows.
 * Time and sequence in two atomics would issue an ID twice here.
 */
@JCStressTest
@Outcome(id = "600, 601, 602, 603", expect = ACCEPTABLE, desc = "The new tick first: a clock behind takes of it.")
@Outcome(id = "600, 501, 601, 602", expect = ACCEPTABLE, desc = "The old tick's number, the new tick, its next number.")
@Outcome(id = "601, 501, 600, 602", expect = ACCEPTABLE, desc = "Both of the second actor, then the first's.")
@State
public class NewTickStress {
    private final TickSequence sequence = Sequences.used(Sequences.plain(8), 5, 1);

    @Actor
    public void ahead(IIII_Result r) {
        r.r1 = Sequences.take(sequence, 6, 1);
    }

    @Actor
    public void behind(IIII_Result r) {
        r.r2 = Sequences.take(sequence, 5, 1);
        r.r3 = Sequences.take(sequence, 6, 1);
    }

    @Arbiter
    public void after(IIII_Result r) {
        r.r4 = Sequences.take(sequence, 6, 1);
    }
}
