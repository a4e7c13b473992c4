package org.idallocator.zk.simulation;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.zk.testing.SmallPool;

/** What holds a simulated replica's slots: the real lease loop, or a worse one that must be caught. */
public interface Holder {

    /** One step; returns how many nanoseconds the next may wait. */
    long step();

    /** What callers may draw from now. Its fence may have tripped. */
    List<Serving> serving();

    /** All that callers draw from, as one, of the scheme of this slot; empty where nothing serves. */
    default Optional<Together> together(Serving one) {
        return Optional.of(new Together(one.generator(), List.of(one)));
    }

    /** The client says that its session is gone. */
    void sessionLost();

    /** A watched node has changed. */
    void changed();

    /** Releases everything; true when nothing is left to release. */
    boolean close();

    /**
     * What callers of a scheme draw from.
     *
     * @param generator gives IDs of any of the slots
     * @param slots the slots
     */
    record Together(Generator generator, List<Serving> slots) {

        /**
         * What an ID, given as bits, came from. A slot can be there twice: as a tenure whose deadline is over, until the lease loop
         * collects it, and as one that was claimed after it, with a floor above all that the first one has issued.
         */
        Serving of(long high, long low) {
            SmallPool<?> scheme = slots.get(0).scheme();
            long slot = scheme.slotOf(high, low);
            long tick = scheme.tickOf(high, low);
            return slots.stream()
                    .filter(each -> each.slot() == slot && each.fence().floorTick() <= tick)
                    .max(Comparator.comparingLong(each -> each.fence().floorTick()))
                    .orElseThrow(() -> new Ledger.Violation(
                            "an ID of tick " + tick + " of slot " + slot + ", which is of none of " + slots));
        }
    }

    /**
     * A slot that a caller draws from.
     *
     * @param tenure names the tenure
     * @param lease the path of the tenure's lease
     */
    record Serving(SmallPool<?> scheme, long slot, String tenure, String lease, Fence fence, Generator generator) {}
}
