package org.idallocator.dropwizard.admin;

import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a path at or below {@code /leases} names. Whether there are such schemes and slots is not asked yet. */
sealed interface LeasesPath {
    /** All pools. */
    record AllPools() implements LeasesPath {}

    /** The pool of a scheme. */
    record OnePool(String scheme) implements LeasesPath {}

    /** A slot of a scheme's pool. */
    record OneSlot(String scheme, String slot) implements LeasesPath {}

    /** What is below a slot: nothing. */
    record BelowSlot() implements LeasesPath {}

    /** {@code below} is what comes behind {@code /leases}; slashes that are too many change nothing. */
    static LeasesPath of(@Nullable String below) {
        List<String> names = Splitter.on('/').omitEmptyStrings().splitToList(Strings.nullToEmpty(below));
        return switch (names.size()) {
            case 0 -> new AllPools();
            case 1 -> new OnePool(names.get(0));
            case 2 -> new OneSlot(names.get(0), names.get(1));
            default -> new BelowSlot();
        };
    }
}
