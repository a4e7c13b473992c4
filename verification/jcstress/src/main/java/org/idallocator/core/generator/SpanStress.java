package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Ticks have one number each, and two threads take the ticks that went by: nobody gets a tick of the other. */
@JCStressTest
@Outcome(id = "200, 500", expect = ACCEPTABLE, desc = "Ticks 2 to 4 first; then only 5 and 6 were left.")
@Outcome(id = "-1, 400", expect = ACCEPTABLE, desc = "Ticks 4 to 6 first; a clock at 4 is behind them and must wait.")
@State
public class SpanStress {
    private final TickSequence sequence = Sequences.spanning(8);

    @Actor
    public void behind(II_Result r) {
        r.r1 = Sequences.take(sequence, 4, 3);
    }

    @Actor
    public void ahead(II_Result r) {
        r.r2 = Sequences.take(sequence, 6, 3);
    }
}
