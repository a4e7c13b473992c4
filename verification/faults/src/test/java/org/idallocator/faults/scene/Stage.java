package org.idallocator.faults.scene;

import java.time.Duration;
import java.util.Set;

/**
 * What a fault happens to.
 *
 * @param replicas how many run before it
 * @param partitions of snos
 * @param shards of each partition; partitions x shards slots are all there are
 * @param session ZooKeeper's session timeout
 * @param window how far ahead replicas reserve
 * @param traits what is not as usual
 */
public record Stage(int replicas, int partitions, int shards, Duration session, Duration window, Set<Trait> traits) {

    /** How far a replica's clock may be from ZooKeeper's: the default. */
    public static final Duration CLOCK_SKEW = Duration.ofSeconds(2);

    private static final Duration FLOOR_SLACK = Duration.ofSeconds(2);

    /** As config/cluster.yml has it, with a window as long as a session, straight lines and the machine's clock. */
    public static Stage of(int replicas, Duration session) {
        return new Stage(replicas, 256, 4, session, session, Set.of());
    }

    /** Whether there are too many replicas for heavy load on each. */
    boolean crowded() {
        return replicas > 8;
    }

    /**
     * How far ahead of ZooKeeper's time a floor is that is begun when nobody knows what is reserved: above what
     * replicas reserve with this window.
     */
    public Duration ahead() {
        return ahead(window, CLOCK_SKEW);
    }

    /** The same where this window and this clock skew are the largest that any replica has. */
    public static Duration ahead(Duration window, Duration maxClockSkew) {
        return window.plus(maxClockSkew.multipliedBy(2)).plus(FLOOR_SLACK);
    }

    public int slots() {
        return partitions * shards;
    }

    /** The same with other slots for snos: a power of two, and so few that a slot soon changes hands. */
    public Stage withSlots(int slots) {
        return new Stage(replicas, 1, slots, session, window, traits);
    }

    /** The same where replicas reserve further ahead. */
    public Stage withWindow(Duration other) {
        return new Stage(replicas, partitions, shards, session, other, traits);
    }

    /** The same with each partition cut into another number of slots. */
    public Stage withShards(int other) {
        return new Stage(replicas, partitions, other, session, window, traits);
    }

    public Stage with(Trait trait) {
        return new Stage(replicas, partitions, shards, session, window, Set.of(trait));
    }

    boolean has(Trait trait) {
        return traits.contains(trait);
    }

    /** What is not as usual. */
    public enum Trait {
        /** Each replica has a {@link Network} of its own. */
        LINES,
        /** Each replica has a {@link FakeClock} of its own. */
        CLOCKS,
        /** Clients go through a load balancer instead of asking each replica. */
        BALANCED
    }
}
