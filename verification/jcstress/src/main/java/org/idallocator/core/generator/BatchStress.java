package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two threads ask for three numbers each of a tick that has four: the later one gets the rest, and nothing is left. */
@JCStressTest
@Outcome(id = "3, 1, 0", expect = ACCEPTABLE, desc = "The first actor got all it wanted, the second what was left.")
@Outcome(id = "1, 3, 0", expect = ACCEPTABLE, desc = "The second actor got all it wanted, the first what was left.")
@State
public class BatchStress {
    private final TickSequence sequence = Sequences.plain(4);

    @Actor
    public void first(III_Result r) {
        r.r1 = Sequences.count(sequence, 5, 3);
    }

    @Actor
    public void second(III_Result r) {
        r.r2 = Sequences.count(sequence, 5, 3);
    }

    @Arbiter
    public void after(III_Result r) {
        r.r3 = Sequences.count(sequence, 5, 1);
    }
}
