package org.idallocator.zk.settings;

import com.google.common.collect.Maps;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.LocalIds;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SlotPool;

/**
 * All that an allocator needs to know.
 *
 * @param schemes what to serve: those alone that are drawn, because a slot of each is held, and some pools are small
 * @param zookeeper where leases live
 * @param window how far ahead ticks are reserved: 1 ms to the session timeout, at most {@link #LONGEST_WINDOW}. A
 *     ZooKeeper outage passes unnoticed for at most the window. A crashed
 *     holder's slot cools for the window and twice the skew at most. The same for all replicas
 * @param maxClockSkew how far the clock may be from ZooKeeper's, 1 ms to {@link #LARGEST_CLOCK_SKEW}. The same for all replicas
 * @param maxWait how long a call may wait without progress, 1 ms to {@link #LONGEST_WAIT}
 * @param replica what the leases say of this replica
 * @param leases how many slots of a scheme to hold, by the scheme's name: 1 to {@link #MOST_LEASES}, and no more than
 *     its pool has. One of a scheme that is not named. Replicas of one root may differ in it
 */
public record AllocatorSettings(
        List<Scheme<?>> schemes,
        ZooKeeperSettings zookeeper,
        Duration window,
        Duration maxClockSkew,
        Duration maxWait,
        Replica replica,
        Map<String, Integer> leases) {

    /** The window where a configuration says nothing of it. */
    public static final Duration DEFAULT_WINDOW = Duration.ofSeconds(10);

    /** The skew where a configuration says nothing of it. */
    public static final Duration DEFAULT_CLOCK_SKEW = Duration.ofSeconds(2);

    /** How long a call may wait where a configuration says nothing of it: as long as one of a program that has no leases. */
    public static final Duration DEFAULT_WAIT = LocalIds.DEFAULT_WAIT;

    /**
     * The longest window that is allowed. When ZooKeeper has lost data, nobody can tell by which window a replica
     * reserved. The next incarnation's floor must then lie above the longest window, and all replicas wait for this floor.
     */
    public static final Duration LONGEST_WINDOW = Duration.ofSeconds(60);

    /** The largest skew that is allowed, for the same reason. */
    public static final Duration LARGEST_CLOCK_SKEW = Duration.ofSeconds(10);

    /** The longest wait that is allowed. */
    public static final Duration LONGEST_WAIT = Duration.ofHours(1);

    /** The most slots of a scheme: a replica renews all of its slots in one transaction, which is not to grow without bound. */
    public static final int MOST_LEASES = 64;

    /** Throws {@link IllegalArgumentException} that names the first bad key, and what is allowed. */
    public AllocatorSettings {
        schemes = List.copyOf(schemes);
        leases = Map.copyOf(leases);
        requireAllowed(window, maxClockSkew);
        requireAllowed("maxWait", maxWait, LONGEST_WAIT, "");
        requireAtMost("window", window, "the session timeout of ", zookeeper.sessionTimeout(), "");
        for (String name : leases.keySet()) {
            Shown.require(isServed(name, schemes), "leases must be of schemes that are served", name);
            requireLeases(Schemes.named(name, schemes), leases.get(name));
        }
    }

    private static boolean isServed(String name, List<Scheme<?>> schemes) {
        return schemes.stream().anyMatch(scheme -> scheme.name().equals(name));
    }

    /** How many slots of a scheme are to be held; throws {@link IllegalArgumentException} unless so many are allowed. */
    public static int requireLeases(Scheme<?> scheme, int number) {
        long most = Math.min(MOST_LEASES, scheme.pool().map(SlotPool::size).orElse(0L));
        String rule = scheme.name() + ".leases must be ";
        Shown.require(most > 0, rule + "left out", scheme.name() + " needs no slots");
        Shown.require(number >= 1 && number <= most, rule + "1.." + most, number);
        return number;
    }

    /** How many slots of a scheme a replica holds. */
    public int leases(Scheme<?> scheme) {
        return leases.getOrDefault(scheme.name(), 1);
    }

    /** Throws {@link IllegalArgumentException} unless both are 1 ms or more, and no larger than is allowed. */
    public static void requireAllowed(Duration window, Duration maxClockSkew) {
        String why = "; after a loss of data in ZooKeeper everybody waits for the largest that is allowed";
        requireAllowed("window", window, LONGEST_WINDOW, why);
        requireAllowed("maxClockSkew", maxClockSkew, LARGEST_CLOCK_SKEW, why);
    }

    /** ZooKeeper keeps these in milliseconds. */
    private static void requireAllowed(String key, Duration value, Duration largest, String why) {
        Shown.require(value.compareTo(Duration.ZERO) > 0, key + " must be positive", value.toMillis() + " ms");
        requireAtMost(key, value, "", largest, why); // before the next: the nanoseconds of 300 years are no long
        Shown.require(value.toMillis() > 0, key + " must be 1 ms or more", value.toNanos() + " ns");
    }

    /** {@code what} says in words what the largest is, where it is not a constant. */
    static void requireAtMost(String key, Duration value, String what, Duration largest, String why) {
        String rule = key + " must be at most " + what + largest.toMillis() + " ms";
        Shown.require(value.compareTo(largest) <= 0, rule, value.toMillis() + " ms" + why);
    }

    /** eightbyte's cluster ID, where that scheme is served. */
    public OptionalInt clusterId() {
        return schemes.stream()
                .filter(EightByteScheme.class::isInstance)
                .mapToInt(scheme -> ((EightByteScheme) scheme).clusterId())
                .findFirst();
    }

    /** The terms by which a replica with these settings reserves. */
    public Terms terms() {
        return new Terms(window, zookeeper.sessionTimeout(), maxClockSkew);
    }

    /** The same for other schemes; what {@link #leases} says of schemes that are no longer served is dropped. */
    public AllocatorSettings withSchemes(List<Scheme<?>> others) {
        Map<String, Integer> left = Maps.filterKeys(leases, name -> isServed(name, others));
        return new AllocatorSettings(others, zookeeper, window, maxClockSkew, maxWait, replica, left);
    }

    /** The same with another number of slots of some schemes, by their names; one of each that is not named. */
    public AllocatorSettings withLeases(Map<String, Integer> others) {
        return new AllocatorSettings(schemes, zookeeper, window, maxClockSkew, maxWait, replica, others);
    }

    /** The same with ZooKeeper reached otherwise. For a session timeout below the window, shorten the window first. */
    public AllocatorSettings withZooKeeper(ZooKeeperSettings other) {
        return new AllocatorSettings(schemes, other, window, maxClockSkew, maxWait, replica, leases);
    }

    /** The same with another window: 1 ms to the session timeout, at most {@link #LONGEST_WINDOW}. */
    public AllocatorSettings withWindow(Duration other) {
        return new AllocatorSettings(schemes, zookeeper, other, maxClockSkew, maxWait, replica, leases);
    }

    /** The same with another skew: 1 ms to {@link #LARGEST_CLOCK_SKEW}. */
    public AllocatorSettings withMaxClockSkew(Duration other) {
        return new AllocatorSettings(schemes, zookeeper, window, other, maxWait, replica, leases);
    }

    /** The same with another longest wait of a call: 1 ms to {@link #LONGEST_WAIT}. */
    public AllocatorSettings withMaxWait(Duration other) {
        return new AllocatorSettings(schemes, zookeeper, window, maxClockSkew, other, replica, leases);
    }

    /** The same for another replica. */
    public AllocatorSettings withReplica(Replica other) {
        return new AllocatorSettings(schemes, zookeeper, window, maxClockSkew, maxWait, other, leases);
    }

    /** The same on the embedded ZooKeeper of one directory, as {@link ZooKeeperSettings#onEmbedded} says. */
    public AllocatorSettings onEmbedded(String address, String identity) {
        return withZooKeeper(zookeeper.onEmbedded(address, identity));
    }

    /** {@link #DEFAULT_WINDOW}, {@link #DEFAULT_CLOCK_SKEW} and {@link #DEFAULT_WAIT}, and one slot of each scheme. */
    public static AllocatorSettings of(List<Scheme<?>> schemes, ZooKeeperSettings zookeeper) {
        return new AllocatorSettings(
                schemes, zookeeper, DEFAULT_WINDOW, DEFAULT_CLOCK_SKEW, DEFAULT_WAIT, Replica.local(), Map.of());
    }
}
