package org.idallocator.faults.row;

import com.google.common.collect.Comparators;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.faults.scene.Operator;
import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** ZooKeeper is restored from a backup that does not know of a tenure, whose holder still serves. */
final class OldBackup {
    static final int SLOTS = 2;

    /**
     * The largest window and clock skew that count where the operator promises nothing, unless a longer window is
     * configured.
     */
    private static final Duration UNPROMISED_WINDOW = Duration.ofSeconds(60);

    private static final Duration UNPROMISED_SKEW = Duration.ofSeconds(10);

    private OldBackup() {}

    static void strike(Scene scene) {
        Replica first = scene.holder();
        scene.log().mark("backup");
        scene.disks().backUp();
        Instant known = scene.records().reservedThrough();
        List<Replica> later = Stream.generate(scene::add).limit(2).toList();
        for (Replica replica : later) {
            replica.start();
            scene.ask(replica);
        }
        scene.servedAfter(later, 1, System.nanoTime());
        scene.until(
                "what the backup knows to be reserved is past",
                () -> Instant.now().isAfter(known));
        scene.awaitHolders();
        Replica cutOff =
                scene.holders().stream().filter(later::contains).findFirst().orElseThrow();
        List<Replica> others = Stream.concat(Stream.of(first), later.stream())
                .filter(replica -> replica != cutOff)
                .toList();
        Loss loss = Loss.begins(scene, cutOff);
        others.forEach(replica -> replica.process().kill());
        Instant reserved = scene.records().reservedThrough();
        scene.log().mark("ZooKeepers brought back from the backup");
        scene.disks().bringBack();
        loss.over();
        Duration ahead = scene.operated() ? restoreFence(scene, reserved) : Duration.ZERO;
        long restored = System.nanoTime();
        others.forEach(Replica::start);
        scene.log().mark("replicas start");
        loss.servedAgain(others, SLOTS, restored, ahead);
        loss.requireFencedInTimeAndServesAgain();
    }

    /**
     * With the operator's promise in the short matrix, with none in the long one; returns how far ahead the floor is.
     */
    private static Duration restoreFence(Scene scene, Instant reserved) {
        Operator operator = scene.operator(scene.stage());
        boolean promise = !scene.plan().equals(Plan.LONG);
        Operator.Answer answer = promise
                ? operator.run(
                        0,
                        "fence-restore",
                        operator.config(),
                        "--window",
                        scene.stage().window().toMillis() + "ms",
                        "--max-clock-skew",
                        Stage.CLOCK_SKEW.toMillis() + "ms")
                : operator.run(0, "fence-restore", operator.config());
        Instant floor = Instant.parse(answer.value("floor"));
        long above = Duration.between(reserved, floor).toMillis();
        scene.log().atLeast("floor above all that was reserved", 0, above, " ms");
        return promise
                ? scene.stage().ahead()
                : Stage.ahead(Comparators.max(scene.stage().window(), UNPROMISED_WINDOW), UNPROMISED_SKEW);
    }
}
