package org.idallocator.zk.settings;

import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;

/**
 * How many slots of a scheme a replica holds: always {@code min}, and up to {@code max} while callers keep waiting for ticks.
 * Replicas of one root may differ in it; each takes its own {@code min} for that of the others.
 *
 * @param min 1 or more
 * @param max {@code min} to {@link #LARGEST}, and at most the slots of the scheme's pool
 */
public record LeaseBounds(int min, int max) {
    /** The largest max: a replica renews all of its slots in one transaction, which is not to grow without bound. */
    public static final int LARGEST = 64;

    /** One slot, whatever the demand. */
    public static final LeaseBounds ONE = new LeaseBounds(1, 1);

    /** Throws {@link IllegalArgumentException} that names {@code min} or {@code max}. */
    public LeaseBounds {
        requireAllowed("min", min);
        requireAllowed("max", max);
        if (max < min) {
            throw new IllegalArgumentException("max must be at least min, which is " + min + ": " + max);
        }
    }

    private static void requireAllowed(String name, int value) {
        Require.that(value >= 1 && value <= LARGEST, () -> name + " must be 1.." + LARGEST + ": " + value);
    }

    /** Whether the number of slots follows the demand. */
    public boolean flexible() {
        return min < max;
    }

    /**
     * The same bounds; throws {@link IllegalArgumentException} where the scheme has no slots, or its pool fewer than max. The
     * message begins with the scheme's name.
     */
    public LeaseBounds requireFor(Scheme<?> scheme) {
        long slots = scheme.pool().map(SlotPool::size).orElse(0L);
        String key = scheme.name() + ".leases";
        Require.that(slots > 0, () -> key + " must be left out: " + scheme.name() + " needs no slots");
        Require.that(max <= slots, () -> key + ".max must be at most " + slots + ", the slots of the pool: " + max);
        return this;
    }
}
