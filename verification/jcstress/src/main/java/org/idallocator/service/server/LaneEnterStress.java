package org.idallocator.service.server;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** A task enters while the one permit is given back: it begins, once. */
@JCStressTest
@Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "It begins, whoever saw it, and its permit comes back.")
@State
public class LaneEnterStress {
    private final LaneTasks tasks = new LaneTasks();
    private final Lane.Permit second = tasks.permit();

    @Actor
    public void ends() {
        tasks.first().release();
    }

    @Actor
    public void enters() {
        second.enqueue();
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
