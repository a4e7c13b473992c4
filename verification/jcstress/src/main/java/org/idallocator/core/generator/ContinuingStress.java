package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Numbers run on from tick to tick. One thread takes the last number of a tick that has two, another enters the next
 * tick.
 */
@JCStressTest
@Outcome(id = "501, 600, 601", expect = ACCEPTABLE, desc = "The old tick was used up first: the new one starts at 0.")
@Outcome(id = "600, 601, -1", expect = ACCEPTABLE, desc = "The new tick started at 1; the first actor got number 0.")
@State
public class ContinuingStress {
    private final TickSequence sequence = Sequences.used(Sequences.continuing(2), 5, 1);

    @Actor
    public void behind(III_Result r) {
        r.r1 = Sequences.take(sequence, 5, 1);
    }

    @Actor
    public void ahead(III_Result r) {
        r.r2 = Sequences.take(sequence, 6, 1);
    }

    @Arbiter
    public void after(III_Result r) {
        r.r3 = Sequences.take(sequence, 6, 1);
    }
}
