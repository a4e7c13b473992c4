package org.idallocator.faults.row;

import java.time.Duration;
import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** ZooKeeper's disks take long to write. */
public final class SlowDisks implements Fault {
    private static final Duration DELAY = Duration.ofMillis(700);

    @Override
    public String name() {
        return "slow disks";
    }

    @Override
    public String does() {
        return "every commit takes " + DELAY.toMillis() + " ms longer on all ZooKeepers";
    }

    @Override
    public Stage stage(Plan plan) {
        return Stage.of(3, plan.session());
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
