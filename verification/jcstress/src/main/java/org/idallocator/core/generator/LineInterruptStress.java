package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * A caller is interrupted while another serves the line: what it was given is its own, and else it is given nothing.
 */
@JCStressTest
@Outcome(id = "600, 601, 6", expect = ACCEPTABLE, desc = "In line when the tick began: served before the other.")
@Outcome(id = "601, 600, 6", expect = ACCEPTABLE, desc = "Came after the other, and found the rest of its tick.")
@Outcome(id = "-2, 600, 7", expect = ACCEPTABLE, desc = "Too late, or gone before: no number was his.")
@State
public class LineInterruptStress {
    private final Callers callers = Callers.interrupted();

    @Actor
    public void waits(III_Result r) {
        r.r1 = callers.waits();
    }

    @Actor
    public void serves(III_Result r) {
        r.r2 = callers.polls();
    }

    @Arbiter
    public void after(III_Result r) {
        r.r3 = callers.left();
    }
}
