package org.idallocator.zk.operator;

import java.time.Instant;
import org.idallocator.zk.node.LeaseNode;
import org.jspecify.annotations.Nullable;

/**
 * A slot that was taken out of its pool.
 *
 * @param holder who held the slot; null when nobody did
 * @param issuingUntil until when the slot's last holder may issue at the latest, cut off from ZooKeeper and with whatever
 *     clock; null when the slot's record reserves nothing, and the floor is past
 */
public record Retired(@Nullable LeaseNode holder, @Nullable Instant issuingUntil) {}
