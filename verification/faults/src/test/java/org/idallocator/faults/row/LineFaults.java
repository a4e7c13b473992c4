package org.idallocator.faults.row;

import java.time.Instant;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.faults.scene.Network;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Step;

/** What happens between a replica and ZooKeeper. */
final class LineFaults {
    private static final int SESSIONS = 3;
    private static final int RENEWALS = 3;

    private LineFaults() {}

    /** Nothing passes between a holder and ZooKeeper, and no connection breaks. */
    static void blackhole(Scene scene, Network.Direction direction) {
        Replica cutOff = scene.holder();
        Replica waiting = scene.waiting();
        long from = System.nanoTime();
        cutOff.network().shut(direction);
        Instant since = Instant.now();
        scene.log().mark("blackhole of " + cutOff);
        scene.last(scene.stage().session().multipliedBy(SESSIONS));
        scene.requireAllFencedInTime(cutOff, since);
        scene.log().note("refused the first request " + scene.fencedAfter(cutOff, from) + " ms after the fault began");
        scene.log().mark("healed");
        cutOff.network().heal();
        scene.log().served(scene.servedAfter(waiting, from));
        HandOver.to(scene, cutOff);
    }

    /** A claim that worked, of which the claimer hears nothing. */
    static void claimUnanswered(Scene scene) {
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

    /** Renewals that worked, of which the holder hears nothing. */
    static void renewalUnanswered(Scene scene) {
        Replica holder = scene.holder();
        for (int time = 1; time <= RENEWALS; time++) {
            int wanted = time;
            holder.network().loseAnswer(Step.RENEWAL);
            scene.until("an answer is lost", () -> holder.network().lost() == wanted);
            long lost = System.nanoTime();
            scene.log().mark("answer lost");
            scene.log().served(scene.servedAfter(holder, lost));
            scene.last(scene.stage().session().dividedBy(2));
        }
        scene.log().atLeast("answers lost", RENEWALS, holder.network().lost(), "");
        scene.log().note(scene.failedOf(holder) + " requests to it failed");
    }

    /** A release that worked, of which the one that stops hears nothing. */
    static void releaseUnanswered(Scene scene) {
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
