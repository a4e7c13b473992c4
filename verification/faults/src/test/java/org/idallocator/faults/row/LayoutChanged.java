package org.idallocator.faults.row;

import com.google.common.collect.Comparators;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.idallocator.faults.scene.Kind;
import org.idallocator.faults.scene.Operator;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;
import org.idallocator.faults.scene.Stage;

/** Slots are cut anew, or reserved further ahead, or less far, while one who holds a slot of before still serves. */
final class LayoutChanged {
    static final int SHARDS = 2;
    static final int MORE_SHARDS = 4;
    private static final Duration SIDE_BY_SIDE = Duration.ofSeconds(3);
    private static final String MISMATCH = "layout-mismatch";

    private final List<String> schemes;
    private final UnaryOperator<Stage> change;

    /** {@code schemes} are those of which the layout changes. */
    private LayoutChanged(List<String> schemes, UnaryOperator<Stage> change) {
        this.schemes = List.copyOf(schemes);
        this.change = change;
    }

    static LayoutChanged moreShards() {
        return new LayoutChanged(List.of(Scene.SNO), stage -> stage.withShards(MORE_SHARDS));
    }

    /** Of all schemes; and there are more slots after that, so that each replica gets one. */
    static LayoutChanged window(Duration other) {
        return new LayoutChanged(
                Kind.SERVICE.schemes(), stage -> stage.withShards(MORE_SHARDS).withWindow(other));
    }

    void strike(Scene scene) {
        Stage next = change.apply(scene.stage());
        Replica cutOff = scene.holder();
        Replica waiting = scene.waiting();
        Replica holding = scene.replicas().stream()
                .filter(replica -> replica != cutOff && replica != waiting)
                .findFirst()
                .orElseThrow();
        List<Replica> connected = List.of(waiting, holding);
        if (scene.operated()) {
            refuse(scene.operator(next), List.of(cutOff, holding));
        }
        Loss loss = Loss.begins(scene, cutOff);
        if (scene.operated()) {
            Operator operator = scene.operator(next);
            schemes.forEach(
                    scheme -> operator.run(0, "leases", "relayout", scheme, "-c", operator.config(), "--fence"));
        }
        long changed = System.nanoTime();
        scene.log().mark("relayout done");
        if (scene.operated()) {
            awaitMismatch(scene, connected);
        }
        restart(scene, waiting, next);
        Duration ahead = Comparators.max(scene.stage().ahead(), next.ahead());
        loss.servedAgain(List.of(waiting), 1, changed, ahead);
        scene.last(SIDE_BY_SIDE);
        restart(scene, holding, next);
        scene.servedAfter(holding, System.nanoTime());
        loss.requireFencedInTime();
        if (scene.operated()) {
            awaitMismatch(scene, List.of(cutOff));
        }
        restart(scene, cutOff, next);
        scene.servedAfter(cutOff, System.nanoTime());
    }

    /** Without --fence it names who holds a slot, and changes nothing. */
    private static void refuse(Operator operator, List<Replica> holders) {
        Operator.Answer refusal = operator.run(1, "leases", "relayout", "sno", "-c", operator.config());
        for (Replica holder : holders) {
            if (!refusal.output().contains(holder.name())) {
                throw new AssertionError("it does not name " + holder + ": " + refusal.output());
            }
        }
    }

    private static void awaitMismatch(Scene scene, List<Replica> replicas) {
        scene.until(
                replicas + " say " + MISMATCH,
                () -> replicas.stream().allMatch(replica -> replica.states().contains(MISMATCH)));
        scene.log().mark(replicas + " say " + MISMATCH);
    }

    private static void restart(Scene scene, Replica replica, Stage stage) {
        replica.process().kill();
        replica.configure(stage);
        replica.start();
        scene.log()
                .mark(replica + " starts with " + stage.slots() + " slots, and a window of "
                        + stage.window().toSeconds() + " s");
        scene.until(replica + " listens", replica::listens);
    }
}
