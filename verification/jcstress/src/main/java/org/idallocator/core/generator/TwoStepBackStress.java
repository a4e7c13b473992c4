package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * The clock steps back for two threads at once: the sequence steps back once for both, and the high tick stays barred.
 */
@JCStressTest
@Outcome(id = "510, 511, 1", expect = ACCEPTABLE, desc = "The first actor's number is the lower; one step back.")
@Outcome(id = "511, 510, 1", expect = ACCEPTABLE, desc = "The second actor's number is the lower; one step back.")
@State
public class TwoStepBackStress {
    private final TickSequence sequence = Sequences.used(Sequences.tickTocking(4), 9, 1);

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
        TickSequence.Snapshot snapshot = sequence.snapshot();
        r.r3 = snapshot.wallSafe() == 9 ? (int) snapshot.stepsBack() : -1;
    }
}
