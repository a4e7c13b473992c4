package org.idallocator.zk.node;

import java.time.Instant;
import org.idallocator.zk.settings.Terms;
import org.jspecify.annotations.Nullable;

/**
 * Where the floor of an incarnation, or of a pool's generation, lies. It is told from the node's own time: ZooKeeper's leader
 * stamps the transaction that writes a node, and that transaction ends the old incarnation or comes after its end. So the
 * leader's time is always read late enough, in one step, however long whoever begins was paused before.
 *
 * <p>Were the time read before, and the floor computed from it: A reads the time, 12:00:00, and stops; B begins, serves, and
 * reserves up to 12:05:10; everything is wiped; A goes on and begins with a floor of 12:00:16; the next tenure issues what B's
 * issued, or still issues.
 */
public final class Floors {
    private Floors() {}

    /**
     * The floor, inclusive.
     *
     * @param least the floor at least
     * @param aheadMillis how far ahead of the node's time; null when {@code least} is all
     * @param leaderMillis when the node was written, by the leader's clock
     */
    public static Instant of(Instant least, @Nullable Long aheadMillis, long leaderMillis) {
        if (aheadMillis == null) {
            return least;
        }
        return later(Instant.ofEpochMilli(leaderMillis + aheadMillis), least);
    }

    /**
     * Whether no terms explain it: then it tells what somebody had reserved while a clock was far ahead, together with ZooKeeper's.
     */
    public static boolean isFar(Instant floor, long leaderMillis) {
        return floor.isAfter(Instant.ofEpochMilli(leaderMillis).plus(Terms.farthest()));
    }

    public static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
