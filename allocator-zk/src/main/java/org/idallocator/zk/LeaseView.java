package org.idallocator.zk;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A slot as ZooKeeper shows it.
 *
 * @param scheme the scheme's name
 * @param slot the slot's name
 * @param lease who holds it; null when nobody does
 * @param reservedThrough the end of the last tick reserved by any tenure so far; null when there never was one
 * @param cooling whether that is still ahead although nobody holds the slot
 */
public record LeaseView(
        String scheme,
        String slot,
        @Nullable LeaseNode lease,
        @Nullable Instant reservedThrough,
        boolean cooling) {}
