package org.idallocator.zk.node;

import java.time.Instant;

/**
 * The EPHEMERAL node of a replica, for people. Its writing also tells the replica ZooKeeper's time.
 *
 * @param version the version of this shape, {@link #VERSION}
 * @param instance the replica's name
 * @param host where the replica runs
 * @param pid the replica's process ID
 * @param url where the replica answers HTTP; empty when it does not
 * @param session the replica's ZooKeeper session, in hex
 * @param since when the replica joined, by its own clock
 */
public record MemberNode(
        int version, String instance, String host, long pid, String url, String session, Instant since) {
    public static final int VERSION = 1;
}
