package org.idallocator.zk.lease;

import java.util.Optional;
import org.idallocator.core.fence.FencedException;

/**
 * The state of a scheme on this replica.
 *
 * @param scheme the scheme's name
 * @param fenced why the scheme issues nothing; empty while it serves
 * @param slot the slot that serves; empty for a scheme without leases, or when none serves
 */
public record SchemeStatus(String scheme, Optional<FencedException> fenced, Optional<HeldSlot> slot) {

    /** Whether the scheme serves. */
    public boolean active() {
        return fenced.isEmpty();
    }
}
