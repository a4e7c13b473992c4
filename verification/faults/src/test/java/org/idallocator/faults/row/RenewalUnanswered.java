package org.idallocator.faults.row;

import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;
import org.idallocator.faults.scene.Step;

/** Renewals that worked, of which the holder hears nothing. */
public final class RenewalUnanswered extends Fault {
    private static final int TIMES = 3;

    public RenewalUnanswered() {
        super(
                "renewal unanswered",
                "a holder's renewal is made, but its answer is lost and its connection breaks; three times",
                plan -> Stage.of(3, plan.session()).withSlots(4).withLines());
    }

    @Override
    public void strike(Scene scene) {
        Replica holder = scene.holder();
        for (int time = 1; time <= TIMES; time++) {
            int wanted = time;
            holder.network().loseAnswer(Step.RENEWAL);
            scene.until("an answer is lost", () -> holder.network().lost() == wanted);
            long lost = System.nanoTime();
            scene.log().mark("answer lost");
            scene.log().served(scene.servedAfter(holder, lost));
            scene.last(scene.stage().session().dividedBy(2));
        }
        scene.log().atLeast("answers lost", TIMES, holder.network().lost(), "");
        scene.log().note(scene.failedOf(holder) + " requests to it failed");
    }
}
