package org.idallocator.faults.row;

import org.idallocator.core.testing.HangGuard;
import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** A new release goes out. */
public final class RollingReplicas extends Fault {
    public RollingReplicas() {
        super(
                "rolling replicas",
                "one replica after the other stops in order and starts again, behind the load balancer",
                plan -> Stage.of(3, Plan.DEFAULT_SESSION).behindBalancer());
    }

    @Override
    public void strike(Scene scene) {
        for (Replica replica : scene.replicas()) {
            scene.log().mark(replica + " stops");
            replica.process().terminate();
            replica.process().awaitEnd(HangGuard.TIME.toSeconds());
            long started = replica.start();
            scene.until(
                    replica + " is found by the load balancer",
                    () -> scene.balancer().ready().contains(replica.target()));
            scene.log().mark(replica + " is back");
            scene.log().served((System.nanoTime() - started) / 1_000_000);
        }
        scene.requireAlmostNoneFailed();
    }
}
