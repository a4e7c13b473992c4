package org.idallocator.faults.row;

import java.time.Duration;
import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** ZooKeeper is upgraded. */
public final class RollingZooKeepers implements Fault {
    private static final Duration BETWEEN = Duration.ofSeconds(2);

    @Override
    public String name() {
        return "rolling zookeepers";
    }

    @Override
    public String does() {
        return "one ZooKeeper after the other is killed with -9 and starts again";
    }

    @Override
    public Stage stage(Plan plan) {
        return Stage.of(3, Plan.DEFAULT_SESSION);
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
