package org.idallocator.zk.lease;

import java.time.Instant;

/**
 * One claim of a slot, as it was sent.
 *
 * @param nonce names the tenure
 * @param session the ZooKeeper session that the lease node belongs to
 * @param generation the pool's generation under which the slot was claimed
 * @param acquiredAt when the slot was claimed, by this replica's clock
 * @param endNanos the monotonic instant at which the pool's longest tenure ends, exclusive
 */
record Claim(String nonce, long session, String generation, Instant acquiredAt, long endNanos) {}
