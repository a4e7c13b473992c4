package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Ticks have one number each, and two threads take the ticks that went by: nobody gets a tick of the other. */
@JCStressTest
@Outcome(id = "100, 400", expect = ACCEPTABLE, desc = "Ticks 1 to 3 first, then 4 to 6.")
@Outcome(id = "-1, 100", expect = ACCEPTABLE, desc = "The clock at 6 takes 1 to 3; one at 3 finds none and must wait.")
@State
public class SpanStress {
    private final TickSequence sequence = Sequences.spanning(8);

    @Actor
    public void behind(II_Result r) {
        r.r1 = Sequences.take(sequence, 3, 3);
    }

    @Actor
    public void ahead(II_Result r) {
        r.r2 = Sequences.take(sequence, 6, 3);
    }
}
