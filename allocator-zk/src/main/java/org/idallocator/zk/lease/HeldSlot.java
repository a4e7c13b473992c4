package org.idallocator.zk.lease;

import java.time.Instant;

/**
 * A slot that this replica holds.
 *
 * @param scheme the scheme's name
 * @param slot the slot's name
 * @param path the path of the lease node
 * @param nonce names the tenure
 * @param acquiredAt when the slot was claimed
 * @param reservedThrough the end of the last tick reserved so far
 * @param floorTick the tenure's first tick, inclusive
 * @param ceilingTick the last tick reserved so far, inclusive
 */
public record HeldSlot(
        String scheme,
        String slot,
        String path,
        String nonce,
        Instant acquiredAt,
        Instant reservedThrough,
        long floorTick,
        long ceilingTick) {}
