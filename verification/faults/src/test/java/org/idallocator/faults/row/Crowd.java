package org.idallocator.faults.row;

import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** As many replicas as the smallest pool has slots. */
public final class Crowd extends Fault {
    private static final int REPLICAS = 64;

    public Crowd() {
        super(
                "crowd",
                REPLICAS + " replicas at once, which take all generator IDs of eightbyte",
                plan -> Stage.of(REPLICAS, Plan.DEFAULT_SESSION));
    }

    @Override
    public void strike(Scene scene) {
        scene.log().mark("all are there");
        scene.last(scene.plan().fault());
        for (String pool : new String[] {"sno", "eightbyte/00", "muid", "uid60"}) {
            long distinct =
                    scene.records().holders(pool).values().stream().distinct().count();
            scene.log().atLeast("holders of " + pool, REPLICAS, distinct, "");
        }
    }
}
