package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The tick has one number left. One thread wants one, the other a batch: one of them gets it. */
@JCStressTest
@Outcome(id = "503, -1, 4", expect = ACCEPTABLE, desc = "One first; the batch must wait.")
@Outcome(id = "-1, 503, 4", expect = ACCEPTABLE, desc = "The batch first; take has to tell the other how long to wait.")
@State
public class OneOfLastStress {
    private final TickSequence sequence = Sequences.used(Sequences.plain(4), 5, 3);

    @Actor
    public void one(III_Result r) {
        r.r1 = Sequences.takeOne(sequence, 5);
    }

    @Actor
    public void batch(III_Result r) {
        r.r2 = Sequences.take(sequence, 5, 3);
    }

    @Arbiter
    public void after(III_Result r) {
        r.r3 = sequence.snapshot().used();
    }
}
