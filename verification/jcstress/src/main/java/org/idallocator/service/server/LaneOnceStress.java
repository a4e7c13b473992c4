package org.idallocator.service.server;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The end of a task is told twice, as that of a request is: one task begins in its place, and the last one waits. */
@JCStressTest
@Outcome(id = "1, 2, 1", expect = ACCEPTABLE, desc = "One permit came back.")
@State
public class LaneOnceStress {
    private final LaneTasks tasks = new LaneTasks();
    private final Lane.Permit second = tasks.permit();
    private final Lane.Permit last = tasks.permit();

    public LaneOnceStress() {
        second.enqueue();
        last.enqueue();
    }

    @Actor
    public void ends() {
        tasks.first().release();
    }

    @Actor
    public void endsToo() {
        tasks.first().release();
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
