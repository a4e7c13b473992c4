package org.idallocator.zk.node;

import java.time.Instant;

/**
 * The EPHEMERAL node that says who holds a slot now. For people, and for choosing a slot; it keeps no IDs apart.
 *
 * @param version of this shape, {@link #VERSION}
 * @param slot the slot's name
 * @param nonce names the tenure
 * @param instance the holder
 * @param host where it runs
 * @param pid its process ID
 * @param url where it answers HTTP
 * @param session its ZooKeeper session, in hex
 * @param acquiredAt when it was claimed
 * @param reservedThrough what the claim reserved; the record beside it has what renewals reserved since
 */
public record LeaseNode(
        int version,
        String slot,
        String nonce,
        String instance,
        String host,
        long pid,
        String url,
        String session,
        Instant acquiredAt,
        Instant reservedThrough) {
    public static final int VERSION = 1;
}
