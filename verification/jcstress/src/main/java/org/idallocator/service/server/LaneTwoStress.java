package org.idallocator.service.server;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two tasks enter while the permit is free: one begins, and the other when that one has ended. */
@JCStressTest
@Outcome(id = "1, 2, 1", expect = ACCEPTABLE, desc = "One at a time, none is left behind, and no permit is lost.")
@State
public class LaneTwoStress {
    private final LaneTasks tasks = new LaneTasks();
    private final Lane.Permit second = tasks.permit();
    private final Lane.Permit third = tasks.permit();

    public LaneTwoStress() {
        tasks.first().release();
    }

    @Actor
    public void enters() {
        second.enqueue();
    }

    @Actor
    public void entersToo() {
        third.enqueue();
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
