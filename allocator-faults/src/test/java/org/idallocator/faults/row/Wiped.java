package org.idallocator.faults.row;

import java.util.List;
import java.util.stream.Stream;
import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** All that ZooKeeper knew is gone, while one that it cannot ask still serves. */
public final class Wiped implements Fault {
    private static final int SLOTS = 2;

    @Override
    public String name() {
        return "wiped";
    }

    @Override
    public String does() {
        return "a holder is cut off and still serves; all ZooKeepers are killed and start again on empty disks; a replica that"
                + " waited, one that held and one that starts anew go on without an operator";
    }

    /** Sessions of 10 s, so that the one that is cut off still serves when ZooKeeper does again. */
    @Override
    public Stage stage(Plan plan) {
        return Stage.of(3, Plan.DEFAULT_SESSION).withSlots(SLOTS).withLines();
    }

    @Override
    public void strike(Scene scene) {
        Replica cutOff = scene.holder();
        List<Replica> connected =
                scene.replicas().stream().filter(replica -> replica != cutOff).toList();
        Loss loss = Loss.begins(scene, cutOff);
        scene.log().mark("all ZooKeepers wiped");
        scene.disks().wipe();
        Replica late = scene.add();
        late.start();
        scene.ask(late);
        long back = loss.over();
        if (scene.operated()) {
            scene.awaitAllFenced(connected, loss.nanos()); // what they serve after that, they serve again
        }
        List<Replica> others =
                Stream.concat(connected.stream(), Stream.of(late)).toList();
        loss.servedAgain(others, SLOTS, back, scene.stage().ahead());
        loss.requireFencedInTime();
    }
}
