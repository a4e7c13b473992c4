package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * One thread takes one number, another closes the sequence. A hand-over goes on from what the closed sequence says was
 * used, so what was taken is counted there, and nothing is taken afterwards.
 */
@JCStressTest
@Outcome(id = "501, 5, 2, -1", expect = ACCEPTABLE, desc = "Taken, then closed: the number counts as used.")
@Outcome(id = "-1, 5, 1, -1", expect = ACCEPTABLE, desc = "Closed first: nothing was taken.")
@State
public class OneCloseStress {
    private final TickSequence sequence = Sequences.used(Sequences.plain(4), 5, 1);

    @Actor
    public void takes(IIII_Result r) {
        r.r1 = Sequences.takeOne(sequence, 5);
    }

    @Actor
    public void closes(IIII_Result r) {
        r.r2 = (int) sequence.close();
        r.r3 = sequence.snapshot().used();
    }

    @Arbiter
    public void after(IIII_Result r) {
        r.r4 = Sequences.takeOne(sequence, 5);
    }
}
