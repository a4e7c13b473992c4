package org.idallocator.faults.row;

import java.util.stream.IntStream;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** Power is lost on all ZooKeepers at once; their disks are kept. */
public final class EnsembleRestarted extends Fault {

    public EnsembleRestarted() {
        super(
                "zookeeper restarted",
                "kill -9 of all ZooKeepers at once, which start again on their disks",
                plan -> Stage.of(3, plan.session()));
    }

    @Override
    public void strike(Scene scene) {
        IntStream.range(0, scene.zookeepers().size()).forEach(scene.zookeepers()::kill);
        scene.log().mark("all ZooKeepers killed");
        scene.last(scene.plan().fault());
        IntStream.range(0, scene.zookeepers().size()).forEach(scene.zookeepers()::restart);
        scene.zookeepers().awaitServing();
        long back = System.nanoTime();
        scene.log().mark("ZooKeepers serve");
        scene.replicas().forEach(replica -> scene.log().served(scene.servedAfter(replica, back)));
    }
}
