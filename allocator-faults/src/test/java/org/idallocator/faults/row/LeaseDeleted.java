package org.idallocator.faults.row;

import java.util.Map;
import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** Somebody deletes a lease node. */
public final class LeaseDeleted implements Fault {

    @Override
    public String name() {
        return "lease deleted";
    }

    @Override
    public String does() {
        return "a holder's lease node is deleted by hand, while another replica waits for the slot";
    }

    @Override
    public Stage stage(Plan plan) {
        return Stage.of(3, plan.session()).withSlots(2);
    }

    @Override
    public void strike(Scene scene) {
        Map.Entry<String, String> lease =
                scene.records().holders(Scene.SNO).entrySet().iterator().next();
        Replica holder = scene.replicas().stream()
                .filter(replica -> replica.name().equals(lease.getValue()))
                .findFirst()
                .orElseThrow();
        scene.log().mark("lease of " + holder + " deleted");
        long from = System.nanoTime();
        scene.records().deleteLease(Scene.SNO, lease.getKey());
        scene.until(
                "the slot has a holder again",
                () -> scene.records().holders(Scene.SNO).size() == 2);
        scene.log()
                .note("the slot was claimed again by "
                        + scene.records().holders(Scene.SNO).get(lease.getKey()) + " within "
                        + (System.nanoTime() - from) / 1_000_000 + " ms");
        scene.last(scene.plan().fault());
        scene.awaitHolders();
    }
}
