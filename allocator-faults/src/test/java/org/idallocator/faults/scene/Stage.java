package org.idallocator.faults.scene;

import java.time.Duration;

/**
 * What a fault happens to.
 *
 * @param replicas how many run before it
 * @param partitions of snos
 * @param shards of each partition; partitions x shards slots are all there are
 * @param session ZooKeeper's session timeout, which is the window as well
 * @param lines whether each replica has a {@link Network} of its own
 * @param clocks whether each replica has a {@link FakeClock} of its own
 * @param balanced whether clients go through a load balancer instead of asking each replica
 */
public record Stage(
        int replicas, int partitions, int shards, Duration session, boolean lines, boolean clocks, boolean balanced) {

    /** As config/cluster.yml has it, straight lines and the machine's clock. */
    public static Stage of(int replicas, Duration session) {
        return new Stage(replicas, 256, 4, session, false, false, false);
    }

    /** Whether there are too many replicas for heavy load on each. */
    boolean crowded() {
        return replicas > 8;
    }

    public int slots() {
        return partitions * shards;
    }

    /** With so few slots for snos, a power of two, that a slot soon changes hands. */
    public Stage withSlots(int slots) {
        return new Stage(replicas, 1, slots, session, lines, clocks, balanced);
    }

    public Stage withSession(Duration other) {
        return new Stage(replicas, partitions, shards, other, lines, clocks, balanced);
    }

    public Stage withLines() {
        return new Stage(replicas, partitions, shards, session, true, clocks, balanced);
    }

    public Stage withClocks() {
        return new Stage(replicas, partitions, shards, session, lines, true, balanced);
    }

    public Stage behindBalancer() {
        return new Stage(replicas, partitions, shards, session, lines, clocks, true);
    }
}
