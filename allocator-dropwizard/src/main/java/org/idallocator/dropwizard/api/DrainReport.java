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
 * What a drain has done so far that was not ended meanwhile.
 *
 * @param drained true: nothing is issued
 * @param givenBack whether all slots are given back
 * @param slots those that were to be given back
 * @param reason the state in which none, or a slot that the detail names, could not be given back, such as
 *     {@code meta-gone}; null where nothing is known of one
 * @param detail the same in words
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DrainReport(
        boolean drained,
        boolean givenBack,
        @JsonIncludeProperties({"scheme", "slot"}) List<HeldSlot> slots,
        @Nullable String reason,
        @Nullable String detail) {

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
