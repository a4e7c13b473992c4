package org.idallocator.faults.row;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.idallocator.faults.scene.Scene;
import org.idallocator.zk.testing.ZooKeeperProcesses;

/** There is no room on the disks of two of three ZooKeepers. */
final class DiskFull {
    private static final List<Integer> FULL = List.of(0, 1);
    private static final Duration LOOK = Duration.ofMillis(500);

    private DiskFull() {}

    static void strike(Scene scene) {
        FULL.forEach(scene.disks()::fill);
        Instant since = Instant.now();
        long from = System.nanoTime();
        scene.log().mark("disks full");
        Duration lasts = scene.stage().session().multipliedBy(2);
        AtomicInteger ended = new AtomicInteger();
        while (System.nanoTime() - from < lasts.toNanos()) {
            ended.addAndGet(supervise(scene));
        }
        scene.replicas().forEach(replica -> scene.requireAllFencedInTime(replica, since));
        FULL.forEach(scene.disks()::free);
        long free = System.nanoTime();
        scene.log().mark("disks have room");
        scene.until("a ZooKeeper leads", () -> {
            ended.addAndGet(supervise(scene));
            return scene.zookeepers().leader().isPresent();
        });
        scene.log().mark("a ZooKeeper leads");
        scene.log().note("a ZooKeeper led " + (System.nanoTime() - free) / 1_000_000 + " ms after there was room");
        scene.log().note("ZooKeepers ended, and were started again, " + ended + " times");
        scene.replicas().forEach(replica -> scene.log().served(scene.servedAfter(replica, free)));
        scene.log()
                .note(serving(scene.zookeepers()) + " of " + scene.zookeepers().size() + " ZooKeepers serve");
    }

    /** Starts what has ended; returns how many that were. */
    private static int supervise(Scene scene) {
        scene.last(LOOK);
        List<Integer> gone = IntStream.range(0, scene.zookeepers().size())
                .filter(member -> !scene.zookeepers().runs(member))
                .boxed()
                .toList();
        gone.forEach(scene.zookeepers()::restart);
        return gone.size();
    }

    /**
     * ZooKeeper may leave one out: it does not follow a leader whose epoch is before one that it accepted meanwhile.
     */
    private static long serving(ZooKeeperProcesses zookeepers) {
        return IntStream.range(0, zookeepers.size())
                .filter(member -> zookeepers.mode(member).isPresent())
                .count();
    }
}
