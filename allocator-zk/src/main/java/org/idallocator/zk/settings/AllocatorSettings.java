package org.idallocator.zk.settings;

import com.google.common.collect.Comparators;
import com.google.common.collect.Maps;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.idallocator.core.id.BadValueException;
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
 * @param window how far ahead ticks are reserved, as {@link Terms#WINDOW} allows: so long callers are served while
 *     ZooKeeper is away, however long the session timeout is. A crashed holder's slot cools for the window and twice
 *     the skew at most. The same for all replicas
 * @param maxClockSkew how far the clock may be from ZooKeeper's, as {@link Terms#MAX_CLOCK_SKEW} allows. The same for
 *     all replicas
 * @param maxWait how long a call may wait without progress, as {@link #MAX_WAIT} allows
 * @param replica what the leases say of this replica
 * @param leases how many slots of a scheme to hold, by the scheme's name: 1 to {@link #MOST_LEASES}, and no more than
 *     its pool has. One of a scheme that is not named. Replicas of one root may differ in it
 * @param windows the windows of schemes that have another one, by the scheme's name. The same for all replicas, also
 *     for those that do not serve the scheme: whoever begins a lost root again counts the longest window that it knows
 */
public record AllocatorSettings(
        List<Scheme<?>> schemes,
        ZooKeeperSettings zookeeper,
        Duration window,
        Duration maxClockSkew,
        Duration maxWait,
        Replica replica,
        Map<String, Integer> leases,
        Map<String, Duration> windows) {

    /** How long a call may wait without progress; unless configured, as long as one of a program that has no leases. */
    public static final Term MAX_WAIT =
            new Term("maxWait", Duration.ofMillis(1), Duration.ofHours(1), LocalIds.DEFAULT_WAIT);

    /**
     * The most slots of a scheme: a replica renews all of its slots in one transaction, which is not to grow without
     * bound.
     */
    public static final int MOST_LEASES = 64;

    /** Throws {@link BadValueException} that names the first bad key, and what is allowed. */
    public AllocatorSettings {
        schemes = List.copyOf(schemes);
        leases = Map.copyOf(leases);
        windows = Map.copyOf(windows);
        Terms.WINDOW.require(window);
        Terms.MAX_CLOCK_SKEW.require(maxClockSkew);
        MAX_WAIT.require(maxWait);
        for (String name : leases.keySet()) {
            Shown.require(isServed(name, schemes), "leases", "must be of schemes that are served", name);
            requireLeases(Schemes.named(name, schemes), leases.get(name));
        }
        for (String name : windows.keySet()) {
            requireWindow(Schemes.named(name, isServed(name, schemes) ? schemes : Schemes.all()), windows.get(name));
        }
    }

    private static boolean isServed(String name, List<Scheme<?>> schemes) {
        return schemes.stream().anyMatch(scheme -> scheme.name().equals(name));
    }

    /** How many slots of a scheme are to be held; throws {@link BadValueException} unless so many are allowed. */
    public static int requireLeases(Scheme<?> scheme, int number) {
        long most = Math.min(MOST_LEASES, scheme.pool().map(SlotPool::size).orElse(0L));
        String key = scheme.name() + ".leases";
        Shown.require(most > 0, key, "must be left out", scheme.name() + " needs no slots");
        Shown.require(number >= 1 && number <= most, key, "must be 1.." + most, number);
        return number;
    }

    /** The window of one scheme; throws {@link BadValueException} unless it is allowed. */
    public static Duration requireWindow(Scheme<?> scheme, Duration window) {
        String key = scheme.name() + ".window";
        Shown.require(scheme.pool().isPresent(), key, "must be left out", scheme.name() + " needs no slots");
        return Terms.WINDOW.require(key, window);
    }

    /** How many slots of a scheme a replica holds. */
    public int leases(Scheme<?> scheme) {
        return leases.getOrDefault(scheme.name(), 1);
    }

    /** eightbyte's cluster ID, where that scheme is served. */
    public OptionalInt clusterId() {
        return schemes.stream()
                .filter(EightByteScheme.class::isInstance)
                .mapToInt(scheme -> ((EightByteScheme) scheme).clusterId())
                .findFirst();
    }

    /** The window of a scheme. */
    public Duration window(Scheme<?> scheme) {
        return windows.getOrDefault(scheme.name(), window);
    }

    /** The terms by which a replica with these settings reserves of a pool. */
    public Terms terms(SlotPool pool) {
        Duration its = schemes.stream()
                .filter(scheme -> scheme.pool().filter(pool::equals).isPresent())
                .findFirst()
                .map(this::window)
                .orElse(window);
        return new Terms(its, zookeeper.sessionTimeout(), maxClockSkew);
    }

    /**
     * How far an ID of a scheme can be ahead of this replica's clock, at most, that another replica of the root has
     * drawn: 16 s by the usual terms. What is further ahead is another root's, made up, or a clock is wrong.
     */
    public Duration farthestSeen(Scheme<?> scheme) {
        return new Terms(window(scheme), zookeeper.sessionTimeout(), maxClockSkew).ahead();
    }

    /**
     * The largest terms by which replicas of the root reserve, as far as these settings say: those with the longest
     * window.
     */
    public Terms terms() {
        Duration longest =
                windows.values().stream().reduce(window, Comparators::max); // others may serve what these do not
        return new Terms(longest, zookeeper.sessionTimeout(), maxClockSkew);
    }

    /** The same for other schemes; what {@link #leases} says of schemes that are no longer served is dropped. */
    public AllocatorSettings withSchemes(List<Scheme<?>> others) {
        Map<String, Integer> left = Maps.filterKeys(leases, name -> isServed(name, others));
        return new AllocatorSettings(others, zookeeper, window, maxClockSkew, maxWait, replica, left, windows);
    }

    /** The same with other windows of some schemes, by their names; {@link #window} of each that is not named. */
    public AllocatorSettings withWindows(Map<String, Duration> others) {
        return new AllocatorSettings(schemes, zookeeper, window, maxClockSkew, maxWait, replica, leases, others);
    }

    /** The same with another number of slots of some schemes, by their names; one of each that is not named. */
    public AllocatorSettings withLeases(Map<String, Integer> others) {
        return new AllocatorSettings(schemes, zookeeper, window, maxClockSkew, maxWait, replica, others, windows);
    }

    /** The same with ZooKeeper reached otherwise. */
    public AllocatorSettings withZooKeeper(ZooKeeperSettings other) {
        return new AllocatorSettings(schemes, other, window, maxClockSkew, maxWait, replica, leases, windows);
    }

    /** The same with another window, as {@link Terms#WINDOW} allows. */
    public AllocatorSettings withWindow(Duration other) {
        return new AllocatorSettings(schemes, zookeeper, other, maxClockSkew, maxWait, replica, leases, windows);
    }

    /** The same with another skew, as {@link Terms#MAX_CLOCK_SKEW} allows. */
    public AllocatorSettings withMaxClockSkew(Duration other) {
        return new AllocatorSettings(schemes, zookeeper, window, other, maxWait, replica, leases, windows);
    }

    /** The same with another longest wait of a call, as {@link #MAX_WAIT} allows. */
    public AllocatorSettings withMaxWait(Duration other) {
        return new AllocatorSettings(schemes, zookeeper, window, maxClockSkew, other, replica, leases, windows);
    }

    /** The same for another replica. */
    public AllocatorSettings withReplica(Replica other) {
        return new AllocatorSettings(schemes, zookeeper, window, maxClockSkew, maxWait, other, leases, windows);
    }

    /** The same on the embedded ZooKeeper of one directory, as {@link ZooKeeperSettings#onEmbedded} says. */
    public AllocatorSettings onEmbedded(String address, String identity) {
        return withZooKeeper(zookeeper.onEmbedded(address, identity));
    }

    /** With the usual window, skew and wait, and one slot of each scheme. */
    public static AllocatorSettings of(List<Scheme<?>> schemes, ZooKeeperSettings zookeeper) {
        return new AllocatorSettings(
                schemes,
                zookeeper,
                Terms.WINDOW.usual(),
                Terms.MAX_CLOCK_SKEW.usual(),
                MAX_WAIT.usual(),
                Replica.local(),
                Map.of(),
                Map.of());
    }
}
