package org.idallocator.faults.row;

import java.time.Instant;
import java.util.Locale;
import org.idallocator.faults.scene.Network;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** Nothing passes between a holder and ZooKeeper, and no connection breaks. */
public final class Blackhole extends Fault {
    private static final int SESSIONS = 3;

    private final Network.Direction direction;

    public Blackhole(Network.Direction direction) {
        super(
                "blackhole " + direction.name().toLowerCase(Locale.ROOT),
                "between a holder and ZooKeeper " + what(direction)
                        + " for three session timeouts, while another replica waits for its slot",
                plan -> Stage.of(3, plan.session()).withSlots(2).withLines());
        this.direction = direction;
    }

    private static String what(Network.Direction direction) {
        return switch (direction) {
            case BOTH -> "nothing passes";
            case REQUESTS -> "no request passes, but answers do,";
            case ANSWERS -> "requests pass, but no answer,";
        };
    }

    @Override
    public void strike(Scene scene) {
        Replica cutOff = scene.holder();
        Replica waiting = scene.waiting();
        long from = System.nanoTime();
        cutOff.network().shut(direction);
        Instant since = Instant.now();
        scene.log().mark("blackhole of " + cutOff);
        scene.last(scene.stage().session().multipliedBy(SESSIONS));
        scene.requireAllFencedInTime(cutOff, since);
        scene.log().note("refused the first request " + scene.fencedAfter(cutOff, from) + " ms after the fault began");
        scene.log().mark("healed");
        cutOff.network().heal();
        scene.log().served(scene.servedAfter(waiting, from));
        HandOver.to(scene, cutOff);
    }
}
