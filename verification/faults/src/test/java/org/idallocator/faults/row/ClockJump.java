package org.idallocator.faults.row;

import java.time.Duration;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** Wall clocks jump; ZooKeeper's and all monotonic ones stay right. */
record ClockJump(String words, Duration offset) {
    void strike(Scene scene) {
        Replica holder = scene.holder();
        jump(scene, holder, scene.plan().fault());
        scene.awaitHolders();
        Replica waiting = scene.waiting();
        Replica victim = victim(scene, holder);
        scene.log().mark("kill -9 of " + victim);
        long killed = System.nanoTime();
        victim.process().kill();
        jump(
                scene,
                waiting,
                scene.stage().session().multipliedBy(2).plus(scene.plan().fault()));
        scene.log().served(scene.servedAfter(waiting, killed));
    }

    /** After a small jump the very holder whose clock jumped; after a large one a holder whose clock never did. */
    private Replica victim(Scene scene, Replica jumped) {
        boolean small = offset.abs().compareTo(Stage.CLOCK_SKEW) <= 0;
        return scene.holders().stream()
                .filter(replica -> small == (replica == jumped))
                .findFirst()
                .orElseThrow();
    }

    private void jump(Scene scene, Replica replica, Duration duration) {
        scene.log().mark("clock of " + replica + " " + words);
        replica.clock().shift(offset);
        long until = System.nanoTime() + duration.toNanos();
        Duration ahead = Duration.ZERO;
        while (System.nanoTime() - until < 0) {
            Duration now = scene.records().reservedAhead(Scene.SNO);
            ahead = now.compareTo(ahead) > 0 ? now : ahead;
            scene.last(Duration.ofMillis(50));
        }
        scene.log().mark("clock of " + replica + " right");
        replica.clock().shift(Duration.ZERO);
        long limit = scene.stage().session().plus(Stage.CLOCK_SKEW).toMillis();
        scene.log().atMost("reserved ahead (window + skew)", limit, ahead.toMillis(), " ms");
    }
}
