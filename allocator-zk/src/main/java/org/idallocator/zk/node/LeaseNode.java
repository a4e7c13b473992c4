package org.idallocator.zk.node;

import java.time.Instant;

/**
 * The EPHEMERAL node that says who holds a slot now. People read it, and claimers leave a slot alone that has one. It does not
 * keep IDs apart: {@link SlotRecord} does.
 *
 * @param version the version of this shape, {@link #VERSION}
 * @param slot the slot's name
 * @param nonce names the tenure
 * @param instance the holder's name
 * @param host where the holder runs
 * @param pid the holder's process ID
 * @param url where the holder answers HTTP; empty when it does not
 * @param session the holder's ZooKeeper session, in hex
 * @param acquiredAt when it was claimed
 * @param reservedThrough the end of what the claim reserved; the record beside the lease has what renewals reserved since
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
