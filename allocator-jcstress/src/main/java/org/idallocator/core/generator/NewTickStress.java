package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Two threads enter a new tick while a third claims in the old one, where place 0 is used already. This is where time and
 * sequence in two atomics issue an ID twice.
 */
@JCStressTest
@Outcome(id = "600, 601, 501, 602", expect = ACCEPTABLE, desc = "The old tick's place first; then actor 1, then 2.")
@Outcome(id = "601, 600, 501, 602", expect = ACCEPTABLE, desc = "The old tick's place first; then actor 2, then 1.")
@Outcome(id = "600, 601, 602, 603", expect = ACCEPTABLE, desc = "The third came last; it holds the new tick: 1, 2, 3.")
@Outcome(id = "601, 600, 602, 603", expect = ACCEPTABLE, desc = "The third came last; it holds the new tick: 2, 1, 3.")
@Outcome(
        id = "600, 602, 601, 603",
        expect = ACCEPTABLE,
        desc = "The third came between; it holds the new tick: 1, 3, 2.")
@Outcome(
        id = "602, 600, 601, 603",
        expect = ACCEPTABLE,
        desc = "The third came between; it holds the new tick: 2, 3, 1.")
@State
public class NewTickStress {
    private final TickSequence sequence = Sequences.plain(8);

    public NewTickStress() {
        Sequences.claim(sequence, 5, 1);
    }

    @Actor
    public void first(IIII_Result r) {
        r.r1 = Sequences.claim(sequence, 6, 1);
    }

    @Actor
    public void second(IIII_Result r) {
        r.r2 = Sequences.claim(sequence, 6, 1);
    }

    @Actor
    public void behind(IIII_Result r) {
        r.r3 = Sequences.claim(sequence, 5, 1);
    }

    @Arbiter
    public void after(IIII_Result r) {
        r.r4 = Sequences.claim(sequence, 6, 1);
    }
}
