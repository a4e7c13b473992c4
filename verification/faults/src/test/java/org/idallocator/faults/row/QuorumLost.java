package org.idallocator.faults.row;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** Two of three ZooKeepers are gone for a minute. */
public final class QuorumLost extends Fault {
    private static final Duration OUTAGE = Duration.ofSeconds(60);
    private static final List<Integer> GONE = List.of(0, 1);

    public QuorumLost() {
        super(
                "quorum lost",
                "kill -9 of two of three ZooKeepers, which come back 60 s later",
                plan -> Stage.of(3, plan.session()));
    }

    @Override
    public void strike(Scene scene) {
        GONE.forEach(scene.zookeepers()::kill);
        Instant since = Instant.now();
        scene.log().mark("quorum lost");
        scene.last(OUTAGE);
        scene.replicas().forEach(replica -> scene.requireAllFencedInTime(replica, since));
        scene.log().mark("ZooKeepers start");
        GONE.forEach(scene.zookeepers()::restart);
        scene.zookeepers().awaitServing();
        long back = System.nanoTime();
        scene.log().mark("quorum back");
        scene.replicas().forEach(replica -> scene.log().served(scene.servedAfter(replica, back)));
    }
}
