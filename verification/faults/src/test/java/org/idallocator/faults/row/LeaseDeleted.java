package org.idallocator.faults.row;

import java.time.Instant;
import java.util.Map;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** Somebody deletes a lease node. */
public final class LeaseDeleted extends Fault {
    private static final int SLOTS = 2;

    public LeaseDeleted() {
        super(
                "lease deleted",
                "a holder's lease node is deleted by hand, while another replica waits for the slot",
                plan -> Stage.of(3, plan.session()).withSlots(SLOTS));
    }

    @Override
    public void strike(Scene scene) {
        Map.Entry<String, String> lease =
                scene.records().holders(Scene.SNO).entrySet().iterator().next();
        Replica holder = named(scene, lease.getValue());
        scene.log().mark("lease of " + holder + " deleted");
        long from = System.nanoTime();
        scene.records().deleteLease(Scene.SNO, lease.getKey());
        Instant since = Instant.now();
        scene.until(
                "the slot has a holder again",
                () -> scene.records().holders(Scene.SNO).size() == SLOTS);
        Replica next = named(scene, scene.records().holders(Scene.SNO).getOrDefault(lease.getKey(), ""));
        scene.log().note(next + " claimed the slot within " + (System.nanoTime() - from) / 1_000_000 + " ms");
        scene.log().served(scene.servedAfter(next, from));
        if (next != holder) {
            scene.requireFencedInTime(holder, since);
        }
        scene.last(scene.plan().fault());
        scene.awaitHolders();
    }

    private static Replica named(Scene scene, String name) {
        return scene.replicas().stream()
                .filter(replica -> replica.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
