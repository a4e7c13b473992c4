package org.idallocator.faults.row;

import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** ZooKeeper's leader is gone, and a new one is elected. */
public final class LeaderKilled extends Fault {

    public LeaderKilled() {
        super(
                "leader killed",
                "kill -9 of ZooKeeper's leader; it comes back later",
                plan -> Stage.of(3, Plan.DEFAULT_SESSION));
    }

    @Override
    public void strike(Scene scene) {
        int leader = scene.zookeepers().leader().orElseThrow();
        scene.log().mark("leader killed");
        long from = System.nanoTime();
        scene.zookeepers().kill(leader);
        scene.until("another leads", () -> scene.zookeepers().leader().isPresent());
        scene.log().note("another led after " + (System.nanoTime() - from) / 1_000_000 + " ms");
        scene.last(scene.plan().fault());
        scene.log().mark("it starts again");
        scene.zookeepers().restart(leader);
        scene.zookeepers().awaitServing();
        scene.requireNoneFailed();
    }
}
