package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads draw in a millisecond of one ID: one of them must wait, and so must a third draw. */
@JCStressTest
@Outcome(id = "5, -1, -1", expect = ACCEPTABLE, desc = "The first actor got the one ID.")
@Outcome(id = "-1, 5, -1", expect = ACCEPTABLE, desc = "The second actor got the one ID.")
@State
public class OnePerMillisecondStress {
    private final EightByteGenerator generator = Sequences.onePerMillisecond();

    @Actor
    public void first(III_Result r) {
        r.r1 = Sequences.draw(generator, 5);
    }

    @Actor
    public void second(III_Result r) {
        r.r2 = Sequences.draw(generator, 5);
    }

    @Arbiter
    public void after(III_Result r) {
        r.r3 = Sequences.draw(generator, 5);
    }
}
