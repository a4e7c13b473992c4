package org.idallocator.faults.row;

import java.util.List;
import java.util.stream.Stream;
import org.idallocator.faults.scene.Network;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;

/** All that ZooKeeper knew is gone, while one that it cannot ask still serves. */
final class Wiped {
    static final int SLOTS = 1;

    private Wiped() {}

    static void strike(Scene scene) {
        Replica cutOff = scene.holder();
        List<Replica> connected =
                scene.replicas().stream().filter(replica -> replica != cutOff).toList();
        Replica late = startUnconnected(scene);
        Loss loss = Loss.begins(scene, cutOff);
        scene.disks().wipe();
        scene.log().mark("all ZooKeepers wiped");
        late.network().heal();
        long back = loss.over();
        if (scene.operated()) {
            scene.awaitAllFenced(connected, loss.nanos()); // what they serve after that, they serve again
        }
        List<Replica> others =
                Stream.concat(connected.stream(), Stream.of(late)).toList();
        loss.servedAgain(others, SLOTS, back, scene.stage().ahead());
        loss.requireFencedInTimeAndServesAgain();
    }

    /** It is there before, so that it asks ZooKeeper as soon as that answers; a process takes seconds to start. */
    private static Replica startUnconnected(Scene scene) {
        Replica late = scene.add();
        late.network().shut(Network.Direction.BOTH);
        late.start();
        scene.log().mark(late + " starts, and has no connection yet");
        scene.until(late + " listens", late::listens);
        scene.ask(late);
        return late;
    }
}
