package org.idallocator.zk.operator;

import java.time.Instant;
import org.idallocator.zk.znode.LeaseNode;
import org.jspecify.annotations.Nullable;

/**
 * A slot that was taken out of its pool.
 *
 * @param holder who held the slot; null when nobody did, and where the lease could not be read
 * @param issuingUntil until when a holder of the slot may issue at the latest, cut off from ZooKeeper and with whatever clock;
 *     also where nobody seems to have held the slot
 */
public record Retired(@Nullable LeaseNode holder, Instant issuingUntil) {}
