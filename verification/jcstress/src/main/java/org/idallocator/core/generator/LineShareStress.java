package org.idallocator.core.generator;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Two come first in a tick while a third stands in line: each number goes to one of them, and those taken have an owner
 * each.
 */
@JCStressTest
@Outcome(id = "600, 601, 602, 5", expect = ACCEPTABLE, desc = "The one in line was served first.")
@Outcome(id = "600, 602, 601, 5", expect = ACCEPTABLE, desc = "The one in line was served first.")
@Outcome(id = "601, 600, 602, 5", expect = ACCEPTABLE, desc = "It came between the two.")
@Outcome(id = "601, 602, 600, 5", expect = ACCEPTABLE, desc = "It came between the two.")
@Outcome(id = "602, 600, 601, 5", expect = ACCEPTABLE, desc = "It came after both, and found the rest of their tick.")
@Outcome(id = "602, 601, 600, 5", expect = ACCEPTABLE, desc = "It came after both, and found the rest of their tick.")
@Outcome(id = "-2, 600, 601, 6", expect = ACCEPTABLE, desc = "It was too late, or refused before.")
@Outcome(id = "-2, 601, 600, 6", expect = ACCEPTABLE, desc = "It was too late, or refused before.")
@Outcome(expect = FORBIDDEN, desc = "A number has two owners, or none.")
@State
public class LineShareStress {
    private final Callers callers = Callers.impatient();

    @Actor
    public void waits(IIII_Result r) {
        r.r1 = callers.waits();
    }

    @Actor
    public void serves(IIII_Result r) {
        r.r2 = callers.polls();
    }

    @Actor
    public void servesToo(IIII_Result r) {
        r.r3 = callers.polls();
    }

    @Arbiter
    public void after(IIII_Result r) {
        r.r4 = callers.left();
    }
}
