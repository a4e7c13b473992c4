package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads take one number each of one tick, and a third number is taken after both. */
@JCStressTest
@Outcome(id = "500, 501, 502", expect = ACCEPTABLE, desc = "The first actor came first; the later number follows both.")
@Outcome(id = "501, 500, 502", expect = ACCEPTABLE, desc = "The second actor was first; the later number follows both.")
@State
public class SameTickStress {
    private final TickSequence sequence = Sequences.plain(4);

    @Actor
    public void first(III_Result r) {
        r.r1 = Sequences.take(sequence, 5, 1);
    }

    @Actor
    public void second(III_Result r) {
        r.r2 = Sequences.take(sequence, 5, 1);
    }

    @Arbiter
    public void after(III_Result r) {
        r.r3 = Sequences.take(sequence, 5, 1);
    }
}
