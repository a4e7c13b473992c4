package org.idallocator.faults.row;

import org.idallocator.core.testing.HangGuard;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;
import org.idallocator.faults.scene.Step;

/** A release that worked, of which the one that stops hears nothing. */
public final class ReleaseUnanswered extends Fault {
    public ReleaseUnanswered() {
        super(
                "release unanswered",
                "a holder stops in order and releases its slots, but the answer is lost and its connection breaks, while"
                        + " another replica waits for the slot",
                plan -> Stage.of(3, plan.session()).withSlots(2).withLines());
    }

    @Override
    public void strike(Scene scene) {
        Replica waiting = scene.waiting();
        Replica holder = scene.holder();
        holder.network().loseAnswer(Step.RELEASE);
        scene.log().mark(holder + " stops");
        long from = System.nanoTime();
        holder.process().terminate();
        holder.process().awaitEnd(HangGuard.TIME.toSeconds());
        scene.log().atLeast("answers lost", 1, holder.network().lost(), "");
        scene.log().mark(holder + " has ended");
        scene.log().served(scene.servedAfter(waiting, from));
    }
}
