package org.idallocator.service.api;

import java.util.List;
import org.idallocator.zk.lease.Drained;

/**
 * What a drain has done so far.
 *
 * @param drained true: nothing is issued
 * @param givenBack whether all slots are given back
 * @param slots those that were held when the drain was asked for
 */
public record DrainReport(boolean drained, boolean givenBack, List<Slot> slots) {

    /** A slot, by its scheme and its name. */
    public record Slot(String scheme, String slot) {}

    public static DrainReport of(Drained done) {
        List<Slot> slots = done.slots().stream()
                .map(held -> new Slot(held.scheme(), held.slot()))
                .toList();
        return new DrainReport(true, done.givenBack(), slots);
    }
}
