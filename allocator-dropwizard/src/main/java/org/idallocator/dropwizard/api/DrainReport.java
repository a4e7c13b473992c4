package org.idallocator.dropwizard.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.lease.Drained;
import org.idallocator.zk.lease.HeldSlot;
import org.jspecify.annotations.Nullable;

/**
 * What a drain has done so far, unless it was ended by a resume.
 *
 * @param drained always true: nothing is issued
 * @param givenBack whether all slots are given back
 * @param slots the slots that were to be given back
 * @param reason the code of why a slot, or any of them, could not be given back, such as {@code meta-gone}; null where
 *     nothing is known to be in the way
 * @param detail the reason in words, which name the slot; null where there is no reason
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DrainReport(
        boolean drained,
        boolean givenBack,
        @JsonIncludeProperties({"scheme", "slot"}) List<HeldSlot> slots,
        @Nullable String reason,
        @Nullable String detail) {

    /** The report of a drain that was begun, whether or not all slots were given back in time. */
    public static DrainReport of(Drained done) {
        Optional<FencedException> why = done.hindrance();
        return new DrainReport(
                true,
                done.givenBack(),
                done.slots(),
                why.map(fenced -> fenced.reason().code()).orElse(null),
                why.map(FencedException::getMessage).orElse(null));
    }
}
