package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A caller's patience ends while another serves the line: a number goes to one of them, and none to whom is gone. */
@JCStressTest
@Outcome(id = "600, 601, 6", expect = ACCEPTABLE, desc = "In line when the tick began: served before the other.")
@Outcome(id = "601, 600, 6", expect = ACCEPTABLE, desc = "Came after the other, and found the rest of its tick.")
@Outcome(id = "-2, 600, 7", expect = ACCEPTABLE, desc = "Too late, or refused before: no number was his.")
@State
public class LineLeaveStress {
    private final Callers callers = Callers.impatient();

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
