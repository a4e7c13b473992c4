package org.idallocator.zk.lease;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.idallocator.zk.znode.LeaseNode;

/**
 * One claim of a slot, as it was sent.
 *
 * @param lease what the lease node says; its nonce names the tenure
 * @param session the ZooKeeper session that the lease node belongs to
 * @param generation the pool's generation under which the slot was claimed
 * @param endNanos the monotonic instant at which the pool's longest tenure ends, exclusive
 * @param kept the fields of later versions that the slot's record had; every write of the tenure keeps them
 */
record Claim(LeaseNode lease, long session, String generation, long endNanos, Map<String, JsonNode> kept) {}
