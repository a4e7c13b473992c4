package org.idallocator.zk.operator;

import java.time.Instant;
import org.idallocator.zk.znode.LeaseNode;
import org.jspecify.annotations.Nullable;

/**
 * A slot that was taken out of its pool.
 *
 * @param holder who held the slot; null when nobody did, and where the lease could not be read
 * @param issuingUntil the latest time until which a holder may still issue, even one that is cut off from ZooKeeper,
 *     whatever its clock says; also where nobody seems to have held the slot
 */
public record Retired(@Nullable LeaseNode holder, Instant issuingUntil) {}
