package org.idallocator.service.server;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A waiting task ends while its turn comes: the next one begins all the same. */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "The one that ended had not begun.")
@Outcome(id = "2, 2, 1", expect = ACCEPTABLE, desc = "It had begun, and gave its permit back.")
@State
public class LaneLeaveStress {
    private final LaneTasks tasks = new LaneTasks();
    private final Lane.Permit leaving = tasks.permit();
    private final Lane.Permit last = tasks.permit();

    public LaneLeaveStress() {
        leaving.enqueue();
        last.enqueue();
    }

    @Actor
    public void ends() {
        tasks.first().release();
    }

    @Actor
    public void leaves() {
        leaving.release();
    }

    @Arbiter
    public void after(III_Result r) {
        r.r1 = tasks.begun();
        tasks.endLast();
        r.r2 = tasks.begun();
        tasks.endLast();
        r.r3 = tasks.availablePermits();
    }
}
