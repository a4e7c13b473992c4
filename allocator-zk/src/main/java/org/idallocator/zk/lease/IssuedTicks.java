package org.idallocator.zk.lease;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.idallocator.zk.znode.Slot;

/**
 * The ticks that this process itself may have issued, of each slot, in whatever incarnation. Records say the same, but
 * somebody may write records who is no replica; what this process knows by itself, nobody can take from it.
 *
 * <p>A slot is remembered while a tenure of it lasts, and after a tenure that did not end with a record of its own. So
 * there are as many entries as there are slots that this process holds, and slots that it has lost otherwise than in
 * order. Confined to the lease loop's thread.
 */
final class IssuedTicks {
    private final Set<Tenure> tenures = new HashSet<>();
    private final Map<Slot, Long> lastTicks = new HashMap<>();

    /** This tenure may issue from now on. */
    void add(Tenure tenure) {
        tenures.add(tenure);
    }

    /** The first tick of a slot that this process has certainly not issued; 0 where it has not used the slot. */
    long first(Slot slot) {
        long last = tenures.stream()
                .filter(tenure -> tenure.slot().equals(slot))
                .mapToLong(Tenure::lastPossibleTick)
                .max()
                .orElse(-1);
        return 1 + Math.max(last, lastTicks.getOrDefault(slot, -1L));
    }

    /**
     * The tenure is closed and ends; {@code inOrder} where its record says what it used: so the record reserves what
     * earlier ones used, too. Else the slot's record may say anything. A tenure that never served has issued nothing,
     * although its generator may count what the slot's last holder has used.
     */
    void remove(Tenure tenure, boolean inOrder) {
        tenures.remove(tenure);
        if (inOrder) {
            lastTicks.computeIfPresent(tenure.slot(), (slot, last) -> last <= tenure.endTick() ? null : last);
        } else if (tenure.hasServed()) {
            tenure.lastUsedTick().ifPresent(last -> lastTicks.merge(tenure.slot(), last, Math::max));
        }
    }
}
