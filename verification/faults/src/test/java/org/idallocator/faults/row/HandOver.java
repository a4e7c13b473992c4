package org.idallocator.faults.row;

import org.idallocator.core.testing.HangGuard;
import org.idallocator.faults.scene.Replica;
import org.idallocator.faults.scene.Scene;

/** Stops a holder in order, so that a replica that waits for a slot gets one. */
final class HandOver {
    private HandOver() {}

    static void to(Scene scene, Replica waiting) {
        Replica other = scene.holders().stream()
                .filter(replica -> replica != waiting)
                .findFirst()
                .orElseThrow();
        scene.log().mark(other + " stops in order");
        long from = System.nanoTime();
        other.process().terminate();
        other.process().awaitEnd(HangGuard.TIME.toSeconds());
        scene.log()
                .note(waiting + " served " + scene.servedAfter(waiting, from) + " ms after " + other
                        + " was told to stop");
        scene.log().mark(waiting + " serves");
    }
}
