package org.idallocator.zk.operator;

import java.time.Instant;
import org.idallocator.zk.node.LeaseNode;
import org.jspecify.annotations.Nullable;

/**
 * A slot that was taken out of its pool.
 *
 * @param holder who held it; null when nobody did
 * @param issuingUntil when its holder, or the last one, can have stopped issuing at the latest, cut off from ZooKeeper and with
 *     whatever clock; null when nothing is reserved any more
 */
public record Retired(@Nullable LeaseNode holder, @Nullable Instant issuingUntil) {}
