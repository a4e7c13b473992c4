package org.idallocator.faults.row;

import java.time.Instant;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** SIGSTOP and SIGCONT. */
public final class Pause extends Fault {
    private static final int SESSIONS = 3;

    public Pause() {
        super(
                "pause",
                "SIGSTOP of a holder in the middle of its answers for three session timeouts, while another replica takes its"
                        + " slot; then SIGCONT",
                plan -> Stage.of(3, plan.session()).withSlots(2));
    }

    @Override
    public void strike(Scene scene) {
        Replica paused = scene.holder();
        Replica waiting = scene.waiting();
        long from = System.nanoTime();
        paused.process().pause();
        Instant pausedAt = Instant.now();
        scene.log().mark("SIGSTOP of " + paused);
        scene.last(scene.stage().session().multipliedBy(SESSIONS));
        scene.log().served(scene.servedAfter(waiting, from));
        long resumed = System.nanoTime();
        scene.log().mark("SIGCONT of " + paused);
        paused.process().resume();
        long refused = scene.fencedAfter(paused, resumed);
        scene.log().note("refused the first request " + refused + " ms after SIGCONT");
        scene.requireFencedInTime(paused, pausedAt);
        HandOver.to(scene, paused);
    }
}
