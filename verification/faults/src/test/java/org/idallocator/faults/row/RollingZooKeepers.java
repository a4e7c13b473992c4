package org.idallocator.faults.row;

import java.time.Duration;
import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** ZooKeeper is upgraded. */
public final class RollingZooKeepers extends Fault {
    private static final Duration BETWEEN = Duration.ofSeconds(2);

    public RollingZooKeepers() {
        super(
                "rolling zookeepers",
                "one ZooKeeper after the other is killed with -9 and starts again",
                plan -> Stage.of(3, Plan.DEFAULT_SESSION));
    }

    @Override
    public void strike(Scene scene) {
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
