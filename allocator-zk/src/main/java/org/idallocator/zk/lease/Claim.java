package org.idallocator.zk.lease;

import java.time.Instant;

/**
 * What a claim of a slot said of itself.
 *
 * @param nonce names the tenure
 * @param session the ZooKeeper session that the lease node belongs to
 * @param generation the pool's generation that it was claimed under
 * @param acquiredAt when it was claimed, by this replica's clock
 * @param endNanos the monotonic instant at which the pool's longest tenure is over, exclusive
 */
record Claim(String nonce, long session, String generation, Instant acquiredAt, long endNanos) {}
