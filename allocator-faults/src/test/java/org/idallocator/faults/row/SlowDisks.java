package org.idallocator.faults.row;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** ZooKeeper's disks take long to write. */
public final class SlowDisks implements Fault {
    private static final String DELAY_MILLIS = "700";

    @Override
    public String name() {
        return "slow disks";
    }

    @Override
    public String does() {
        return "every commit takes " + DELAY_MILLIS + " ms longer on all ZooKeepers";
    }

    @Override
    public Stage stage(Plan plan) {
        return Stage.of(3, plan.session());
    }

    @Override
    public void strike(Scene scene) {
        Path delay = scene.diskDelay();
        try {
            scene.log().mark("disks slow");
            Files.writeString(delay, DELAY_MILLIS);
            scene.last(scene.stage().session().plus(scene.plan().fault()));
            Files.delete(delay);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        scene.log().mark("disks fast again");
        long healed = System.nanoTime();
        scene.replicas().forEach(replica -> scene.log().served(scene.servedAfter(replica, healed)));
    }
}
