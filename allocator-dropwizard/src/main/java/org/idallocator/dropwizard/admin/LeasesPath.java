package org.idallocator.dropwizard.admin;

import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a path at or below {@code /leases} names. It is not checked here whether there is a scheme or a slot of that
 * name.
 */
sealed interface LeasesPath {
    /** All pools. */
    record AllPools() implements LeasesPath {}

    /** The pool of a scheme. */
    record OnePool(String scheme) implements LeasesPath {}

    /** A slot of a scheme's pool. */
    record OneSlot(String scheme, String slot) implements LeasesPath {}

    /** A path below a slot, where there is nothing. */
    record BelowSlot() implements LeasesPath {}

    /**
     * Reads the part of a path that follows {@code /leases}; null or empty for all pools. Superfluous slashes change
     * nothing.
     */
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
