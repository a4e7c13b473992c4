package org.idallocator.zk;

import java.time.Duration;
import java.util.List;
import org.idallocator.core.scheme.Scheme;

/**
 * All that an allocator needs to know.
 *
 * @param schemes what to serve
 * @param zookeeper where leases live
 * @param window how far ahead ticks are reserved, at most the session timeout: the longest ZooKeeper outage that passes
 *     unnoticed, and the longest wait for a crashed holder's slot
 * @param maxClockSkew how far the clock may be from ZooKeeper's
 * @param maxWait how long a call may wait for the next tick
 * @param replica what the leases say of this replica
 */
public record AllocatorSettings(
        List<Scheme<?>> schemes,
        ZooKeeperSettings zookeeper,
        Duration window,
        Duration maxClockSkew,
        Duration maxWait,
        Replica replica) {

    public AllocatorSettings {
        schemes = List.copyOf(schemes);
        positive("window", window);
        positive("maxClockSkew", maxClockSkew);
        positive("maxWait", maxWait);
        if (window.compareTo(zookeeper.sessionTimeout()) > 0) {
            throw new IllegalArgumentException("window must be at most the session timeout of "
                    + zookeeper.sessionTimeout().toMillis() + " ms: " + window.toMillis() + " ms");
        }
    }

    private static void positive(String name, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(name + " must be positive: " + value.toMillis() + " ms");
        }
    }

    /** The defaults: window 10 s, skew 2 s, wait 2 s. */
    public static AllocatorSettings of(List<Scheme<?>> schemes, ZooKeeperSettings zookeeper) {
        return new AllocatorSettings(
                schemes,
                zookeeper,
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                Duration.ofSeconds(2),
                Replica.local());
    }
}
