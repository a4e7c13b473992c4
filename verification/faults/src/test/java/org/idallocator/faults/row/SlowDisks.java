package org.idallocator.faults.row;

import java.time.Duration;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** ZooKeeper's disks take long to write. */
public final class SlowDisks extends Fault {
    private static final Duration DELAY = Duration.ofMillis(700);

    public SlowDisks() {
        super(
                "slow disks",
                "every commit takes " + DELAY.toMillis() + " ms longer on all ZooKeepers",
                plan -> Stage.of(3, plan.session()));
    }

    @Override
    public void strike(Scene scene) {
        scene.log().mark("disks slow");
        scene.disks().slow(DELAY);
        scene.last(scene.stage().session().plus(scene.plan().fault()));
        scene.disks().fast();
        scene.log().mark("disks fast again");
        long healed = System.nanoTime();
        scene.replicas().forEach(replica -> scene.log().served(scene.servedAfter(replica, healed)));
    }
}
