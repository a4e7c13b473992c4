package org.idallocator.zk.node;

import java.time.Instant;

/**
 * The EPHEMERAL node of a replica, for people; writing it also tells the replica ZooKeeper's time.
 *
 * @param version of this shape, {@link #VERSION}
 * @param session its ZooKeeper session, in hex
 * @param since when it joined, by its own clock
 */
public record MemberNode(
        int version, String instance, String host, long pid, String url, String session, Instant since) {
    public static final int VERSION = 1;
}
