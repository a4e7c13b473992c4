package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Three threads take from a tick that has two numbers. One of them is too late, and so is whoever comes after them.
 *
 * <p>jcstress leaves this out on fewer than three cores.
 */
@JCStressTest
@Outcome(id = "500, 501, -1, -1", expect = ACCEPTABLE, desc = "In the order 1, 2; 3 must wait.")
@Outcome(id = "501, 500, -1, -1", expect = ACCEPTABLE, desc = "In the order 2, 1; 3 must wait.")
@Outcome(id = "500, -1, 501, -1", expect = ACCEPTABLE, desc = "In the order 1, 3; 2 must wait.")
@Outcome(id = "501, -1, 500, -1", expect = ACCEPTABLE, desc = "In the order 3, 1; 2 must wait.")
@Outcome(id = "-1, 500, 501, -1", expect = ACCEPTABLE, desc = "In the order 2, 3; 1 must wait.")
@Outcome(id = "-1, 501, 500, -1", expect = ACCEPTABLE, desc = "In the order 3, 2; 1 must wait.")
@State
public class ThreeTakersStress {
    private final TickSequence sequence = Sequences.plain(2);

    @Actor
    public void first(IIII_Result r) {
        r.r1 = Sequences.take(sequence, 5, 1);
    }

    @Actor
    public void second(IIII_Result r) {
        r.r2 = Sequences.take(sequence, 5, 1);
    }

    @Actor
    public void third(IIII_Result r) {
        r.r3 = Sequences.take(sequence, 5, 1);
    }

    @Arbiter
    public void after(IIII_Result r) {
        r.r4 = Sequences.take(sequence, 5, 1);
    }
}
