package org.idallocator.faults.row;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.idallocator.faults.scene.Network;
import org.idallocator.faults.scene.Operator;
import org.idallocator.faults.scene.Plan;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** ZooKeeper is away for less than a window. */
final class OutageFaults {
    static final Duration WINDOW = Duration.ofMinutes(2);
    private static final Duration OUTAGE = Duration.ofSeconds(60);
    private static final Duration HALF = OUTAGE.dividedBy(2);
    private static final Duration OF_ONE = Duration.ofSeconds(20);
    static final int SLOTS = 2;
    private static final List<Integer> QUORUM = List.of(0, 1);

    private OutageFaults() {}

    static Stage stage() {
        return stage(3);
    }

    static Stage stage(int replicas) {
        return Stage.of(replicas, Plan.DEFAULT_SESSION).withWindow(WINDOW);
    }

    static void allAway(Scene scene) {
        away(scene, all(scene));
    }

    static void quorumAway(Scene scene) {
        away(scene, QUORUM);
    }

    private static List<Integer> all(Scene scene) {
        return IntStream.range(0, scene.zookeepers().size()).boxed().toList();
    }

    /** Callers notice nothing, and all slots are those of before. */
    private static void away(Scene scene, List<Integer> servers) {
        Map<String, String> before = scene.records().tenures();
        kill(scene, servers);
        scene.last(OUTAGE);
        restart(scene, servers);
        awaitTakenUp(scene, before);
        scene.requireNoneFailed();
    }

    private static void kill(Scene scene, List<Integer> servers) {
        servers.forEach(scene.zookeepers()::kill);
        scene.log().mark(servers.size() + " ZooKeepers killed");
    }

    private static void restart(Scene scene, List<Integer> servers) {
        servers.forEach(scene.zookeepers()::restart);
        scene.zookeepers().awaitServing();
        scene.records().forget();
        scene.log().mark("ZooKeepers serve");
    }

    /** Until all replicas have reached ZooKeeper, and what they do then is done. */
    private static void awaitTakenUp(Scene scene, Map<String, String> tenures) {
        long from = System.nanoTime();
        scene.until(
                "all replicas reach ZooKeeper", () -> scene.replicas().stream().noneMatch(OutageFaults::isCutOff));
        scene.last(scene.stage().session());
        scene.until(
                "all slots are taken up",
                () -> scene.records().tenures().entrySet().containsAll(tenures.entrySet()));
        scene.log()
                .note("the same " + tenures.size() + " slots, " + (System.nanoTime() - from) / 1_000_000 + " ms later");
    }

    private static boolean isCutOff(Replica replica) {
        return replica.states().contains("\"outage\"");
    }

    /** ZooKeeper is upgraded, and each server takes its time. */
    static void rolled(Scene scene) {
        Map<String, String> before = scene.records().tenures();
        for (int member : all(scene)) {
            kill(scene, List.of(member));
            scene.last(OF_ONE);
            restart(scene, List.of(member));
        }
        awaitTakenUp(scene, before);
        scene.requireNoneFailed();
    }

    /** Its slots are left alone as long as it could have served on; others notice nothing. */
    static void replicaKilled(Scene scene) {
        Replica victim = scene.holder();
        Map<String, String> before = scene.records().holders(Scene.SNO);
        kill(scene, all(scene));
        victim.process().kill();
        scene.log().mark("kill -9 of " + victim);
        scene.last(HALF);
        restart(scene, all(scene));
        long started = victim.start();
        scene.log().mark(victim + " starts");
        scene.log().served(scene.servedAfter(victim, started));
        Map<String, String> after = scene.records().holders(Scene.SNO);
        long same = before.entrySet().stream()
                .filter(held -> held.getValue().equals(victim.name()))
                .filter(held -> victim.name().equals(after.get(held.getKey())))
                .count();
        scene.log().atMost("of its slots that it has again", 0, same, "");
        for (Replica other : scene.replicas()) {
            if (other != victim) {
                scene.log().atMost("requests to " + other + " that failed", 0, scene.failedOf(other), "");
            }
        }
    }

    /** The holder learns of it when it reaches ZooKeeper. Another replica waits for the slot. */
    static void slotReleased(Scene scene) {
        Replica holder = scene.holder();
        Map<String, String> before = scene.records().holders(Scene.SNO); // none of the control
        holder.network().shut(Network.Direction.BOTH);
        kill(scene, all(scene));
        scene.last(OF_ONE);
        restart(scene, all(scene));
        if (scene.operated()) {
            String slot = before.entrySet().stream()
                    .filter(held -> held.getValue().equals(holder.name()))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElseThrow();
            Operator operator = scene.operator(scene.stage());
            operator.run(0, "leases", "release", Scene.SNO, slot, "-c", operator.config());
        }
        boolean serves = scene.holders().contains(holder);
        scene.log().atLeast(holder + " served while it was cut off", 1, serves ? 1 : 0, "");
        if (!scene.operated()) {
            scene.until(
                    "another one serves the slot, too", () -> scene.holders().size() > SLOTS);
        }
        long healed = System.nanoTime();
        holder.network().heal();
        scene.log().mark("healed");
        if (scene.operated()) {
            scene.until(holder + " says why", () -> holder.logged("fenced", "lease-gone"));
            scene.until(
                    "all slots have holders",
                    () -> scene.records().holders(Scene.SNO).size() == SLOTS);
            scene.log().served((System.nanoTime() - healed) / 1_000_000);
        }
    }
}
