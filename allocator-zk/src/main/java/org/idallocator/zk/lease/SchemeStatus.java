package org.idallocator.zk.lease;

import java.util.Optional;
import org.idallocator.core.fence.FencedException;

/**
 * The state of a scheme on this replica.
 *
 * @param scheme the scheme's name
 * @param fenced why the scheme issues nothing; empty while it serves
 * @param slot the slot that serves, or the first of them; empty for a scheme without leases, or when none serves
 * @param slots how many slots serve, and how many are to serve; empty for a scheme without leases
 * @param lacking why fewer slots serve than are to serve, or why a scheme without leases issues nothing; empty while
 *     all serve
 */
public record SchemeStatus(
        String scheme,
        Optional<FencedException> fenced,
        Optional<HeldSlot> slot,
        Optional<Slots> slots,
        Optional<FencedException> lacking) {

    /**
     * The slots of a scheme on this replica.
     *
     * @param serving how many serve now
     * @param leases how many there are to be
     */
    public record Slots(int serving, int leases) {}

    /** The state of a scheme without leases, or of one about whose slots nothing is known. */
    public SchemeStatus(String scheme, Optional<FencedException> fenced, Optional<HeldSlot> slot) {
        this(scheme, fenced, slot, Optional.empty(), fenced);
    }

    /**
     * The same scheme while callers are refused, for a reason that concerns the whole replica: none of its slots
     * serves.
     */
    SchemeStatus refused(FencedException why) {
        Optional<Slots> idle = slots.map(all -> new Slots(0, all.leases()));
        return new SchemeStatus(scheme, Optional.of(why), Optional.empty(), idle, Optional.of(why));
    }

    /** Whether the scheme serves. */
    public boolean active() {
        return fenced.isEmpty();
    }
}
