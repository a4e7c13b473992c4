package org.idallocator.faults.row;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.idallocator.faults.scene.Scene;

/** What happens to the processes and the disks of ZooKeeper. */
final class ZooKeeperFaults {
    private static final Duration OUTAGE = Duration.ofSeconds(60);
    private static final List<Integer> GONE = List.of(0, 1);
    static final Duration DELAY = Duration.ofMillis(700);
    private static final Duration BETWEEN = Duration.ofSeconds(2);

    private ZooKeeperFaults() {}

    /** ZooKeeper's leader is gone, and a new one is elected. */
    static void leaderKilled(Scene scene) {
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

    /** Two of three ZooKeepers are gone for a minute. */
    static void quorumLost(Scene scene) {
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

    /** Power is lost on all ZooKeepers together; their disks are kept. */
    static void ensembleRestarted(Scene scene) {
        IntStream.range(0, scene.zookeepers().size()).forEach(scene.zookeepers()::kill);
        scene.log().mark("all ZooKeepers killed");
        scene.last(scene.plan().fault());
        IntStream.range(0, scene.zookeepers().size()).forEach(scene.zookeepers()::restart);
        scene.zookeepers().awaitServing();
        long back = System.nanoTime();
        scene.log().mark("ZooKeepers serve");
        scene.replicas().forEach(replica -> scene.log().served(scene.servedAfter(replica, back)));
    }

    /** ZooKeeper's disks take long to write. */
    static void slowDisks(Scene scene) {
        scene.log().mark("disks slow");
        scene.disks().slow(DELAY);
        scene.last(scene.stage().session().plus(scene.plan().fault()));
        scene.disks().fast();
        scene.log().mark("disks fast again");
        long healed = System.nanoTime();
        scene.replicas().forEach(replica -> scene.log().served(scene.servedAfter(replica, healed)));
    }

    /** ZooKeeper is upgraded. */
    static void rollingZooKeepers(Scene scene) {
        for (int member = 0; member < scene.zookeepers().size(); member++) {
            String role = scene.zookeepers().mode(member).orElse("member");
            scene.log().mark(role + " killed");
            scene.zookeepers().kill(member);
            scene.zookeepers().restart(member);
            scene.zookeepers().awaitServing();
            scene.log().mark("it serves again");
            scene.last(BETWEEN);
        }
        scene.requireNoneFailed();
    }
}
