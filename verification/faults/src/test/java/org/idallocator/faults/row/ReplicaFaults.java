package org.idallocator.faults.row;

import java.time.Instant;
import java.util.Map;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;

/** What happens to replicas, their processes and their leases. */
final class ReplicaFaults {
    private static final int KILLS = 2;
    private static final long LONGEST_MILLIS = 2_000;
    private static final int SESSIONS = 3;
    static final int SLOTS = 2;
    static final int CROWD = 64;

    private ReplicaFaults() {}

    /** SIGKILL. */
    static void kill(Scene scene) {
        for (int time = 0; time < KILLS; time++) {
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

    /** SIGSTOP and SIGCONT. */
    static void pause(Scene scene) {
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

    /** Somebody deletes a lease node. */
    static void leaseDeleted(Scene scene) {
        Map.Entry<String, String> lease =
                scene.records().holders(Scene.SNO).entrySet().iterator().next();
        Replica holder = named(scene, lease.getValue());
        scene.log().mark("lease of " + holder + " deleted");
        long from = System.nanoTime();
        scene.records().deleteLease(Scene.SNO, lease.getKey());
        Instant since = Instant.now();
        scene.until(
                "the slot has a holder again",
                () -> scene.records().holders(Scene.SNO).size() == SLOTS);
        Replica next = named(scene, scene.records().holders(Scene.SNO).getOrDefault(lease.getKey(), ""));
        scene.log().note(next + " claimed the slot within " + (System.nanoTime() - from) / 1_000_000 + " ms");
        scene.log().served(scene.servedAfter(next, from));
        if (next != holder) {
            scene.requireFencedInTime(holder, since);
        }
        scene.last(scene.plan().fault());
        scene.awaitHolders();
    }

    private static Replica named(Scene scene, String name) {
        return scene.replicas().stream()
                .filter(replica -> replica.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** A new release goes out. */
    static void rollingReplicas(Scene scene) {
        for (Replica replica : scene.replicas()) {
            scene.log().mark(replica + " stops");
            replica.process().terminate();
            replica.process().awaitEnd(HangGuard.TIME.toSeconds());
            long started = replica.start();
            scene.until(
                    replica + " is found by the load balancer",
                    () -> scene.balancer().ready().contains(replica.target()));
            scene.log().mark(replica + " is back");
            scene.log().served((System.nanoTime() - started) / 1_000_000);
        }
        scene.requireAlmostNoneFailed();
    }

    /** As many replicas as the smallest pool has slots. */
    static void crowd(Scene scene) {
        scene.log().mark("all are there");
        scene.last(scene.plan().fault());
        for (String pool : new String[] {"sno", "eightbyte/00", "muid", "uid60"}) {
            long distinct =
                    scene.records().holders(pool).values().stream().distinct().count();
            scene.log().atLeast("holders of " + pool, CROWD, distinct, "");
        }
    }
}
