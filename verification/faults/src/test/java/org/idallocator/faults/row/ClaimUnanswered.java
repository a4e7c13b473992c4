package org.idallocator.faults.row;

import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;
import org.idallocator.faults.scene.Step;

/** A claim that worked, of which the claimer hears nothing. */
public final class ClaimUnanswered extends Fault {

    public ClaimUnanswered() {
        super(
                "claim unanswered",
                "a new replica's first claim is made, but its answer is lost and its connection breaks",
                plan -> Stage.of(2, plan.session()).withSlots(4).withLines());
    }

    @Override
    public void strike(Scene scene) {
        Replica late = scene.add();
        late.network().loseAnswer(Step.CLAIM);
        long started = late.start();
        scene.log().mark(late + " starts");
        scene.ask(late);
        scene.until("an answer is lost", () -> late.network().lost() > 0);
        scene.log().mark("answer lost");
        scene.log().served(scene.servedAfter(late, started));
        scene.last(scene.plan().fault());
        scene.log().atLeast("answers lost", 1, late.network().lost(), "");
    }
}
