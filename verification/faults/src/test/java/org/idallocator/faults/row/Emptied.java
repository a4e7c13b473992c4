package org.idallocator.faults.row;

import java.util.List;
import org.idallocator.faults.scene.Operator;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;

/**
 * Somebody deletes all that is below the root, and takes the root for a new one, while one that does not hear of it
 * still serves.
 */
final class Emptied {
    static final int SLOTS = 2;

    private Emptied() {}

    static void strike(Scene scene) {
        Replica cutOff = scene.holder();
        List<Replica> others =
                scene.replicas().stream().filter(replica -> replica != cutOff).toList();
        Loss loss = Loss.begins(scene, cutOff);
        others.forEach(replica -> replica.process().kill());
        scene.records().deleteAll();
        scene.log().mark("all deleted below the root");
        Operator operator = scene.operator(scene.stage());
        operator.run(1, "fence-restore", operator.config(), "--new-root");
        long refused = System.nanoTime();
        others.forEach(Replica::start);
        scene.log().mark("replicas start");
        loss.servedAgain(others, SLOTS, refused, scene.stage().ahead());
        loss.requireFencedInTimeAndServesAgain();
    }
}
