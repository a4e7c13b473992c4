package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads take one number each of the tick in use, and each gets its own. */
@JCStressTest
@Outcome(id = "501, 502, 3", expect = ACCEPTABLE, desc = "In the order 1, 2.")
@Outcome(id = "502, 501, 3", expect = ACCEPTABLE, desc = "In the order 2, 1.")
@State
public class OneByOneStress {
    private final TickSequence sequence = Sequences.used(Sequences.plain(4), 5, 1);

    @Actor
    public void first(III_Result r) {
        r.r1 = Sequences.takeOne(sequence, 5);
    }

    @Actor
    public void second(III_Result r) {
        r.r2 = Sequences.takeOne(sequence, 5);
    }

    @Arbiter
    public void after(III_Result r) {
        r.r3 = sequence.snapshot().used();
    }
}
