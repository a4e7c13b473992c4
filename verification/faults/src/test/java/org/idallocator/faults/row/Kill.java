package org.idallocator.faults.row;

import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** SIGKILL. */
public final class Kill extends Fault {
    private static final int TIMES = 2;
    private static final long LONGEST_MILLIS = 2_000;

    public Kill() {
        super(
                "kill",
                "kill -9 of a holder, twice, and its process started again at once; one slot more than replicas, so that the"
                        + " second time it meets what the first has left",
                plan -> Stage.of(3, plan.session()).withSlots(4));
    }

    @Override
    public void strike(Scene scene) {
        for (int time = 0; time < TIMES; time++) {
            Replica victim = scene.holder();
            scene.log().mark("kill -9 of " + victim);
            victim.process().kill();
            long started = victim.start();
            scene.log().mark(victim + " starts");
            scene.until(victim + " listens", victim::listens);
            long listening = System.nanoTime();
            long served = scene.servedAfter(victim, started);
            long startMillis = (listening - started) / 1_000_000;
            scene.log().mark(victim + " serves");
            scene.log().served(served);
            scene.log()
                    .note("started again, it listened after " + startMillis + " ms and served after " + served + " ms");
            scene.log().atMost("from listening to serving", LONGEST_MILLIS, Math.max(0, served - startMillis), " ms");
            scene.last(scene.stage().session().multipliedBy(3).dividedBy(2)); // until the old lease is gone
        }
    }
}
