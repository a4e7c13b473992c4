package org.idallocator.faults.row;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.idallocator.faults.scene.Network;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;

/**
 * From when a holder is cut off, and whoever follows cannot learn from ZooKeeper what it has reserved.
 *
 * @param nanos when the holder was cut off, by {@link System#nanoTime}
 * @param since the same by the wall clock, and no earlier
 */
record Loss(Scene scene, Replica cutOff, long nanos, Instant since) {
    /** Beyond a floor and a session: until a replica has connected, has claimed, and its client has asked again. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    /** Cuts a holder off from ZooKeeper: nothing passes in either direction. */
    static Loss begins(Scene scene, Replica holder) {
        long nanos = System.nanoTime();
        holder.network().shut(Network.Direction.BOTH);
        Instant since = Instant.now();
        scene.log().mark(holder + " cut off");
        return new Loss(scene, holder, nanos, since);
    }

    /** Waits until a ZooKeeper leads again; returns when that was. */
    long over() {
        scene.until("a ZooKeeper leads", () -> scene.zookeepers().leader().isPresent());
        long back = System.nanoTime();
        scene.log().mark("a ZooKeeper leads");
        boolean serves = scene.holders().contains(cutOff);
        scene.log()
                .note("a ZooKeeper led " + (back - nanos) / 1_000_000 + " ms after " + cutOff + " was cut off, which"
                        + (serves ? " still served" : " served no more"));
        return back;
    }

    /**
     * Waits until others serve all slots of snos, and all else. That may take them, after {@code from}, a session until
     * they have given their own one up, until the floor is past, and the slack.
     *
     * @param ahead how far the floor was ahead when it was begun
     */
    void servedAgain(List<Replica> others, int slots, long from, Duration ahead) {
        long before = (System.nanoTime() - from) / 1_000_000;
        long served = before + scene.servedAfter(others, slots, from + before * 1_000_000);
        scene.log().mark("others serve");
        scene.log().served(served);
        Duration limit = ahead.plus(scene.stage().session()).plus(SLACK);
        scene.log().atMost("served again (floor + session + 5 s)", limit.toMillis(), served, " ms");
    }

    /** The holder must have stopped by itself; then it is no longer cut off. */
    void requireFencedInTime() {
        scene.requireAllFencedInTime(cutOff, since);
        cutOff.network().heal();
        scene.log().mark("healed");
    }

    /** The same; and it goes on as well. */
    void requireFencedInTimeAndServesAgain() {
        requireFencedInTime();
        long healed = System.nanoTime();
        scene.log().note(cutOff + " served again " + scene.servedAfter(List.of(cutOff), 0, healed) + " ms later");
    }
}
