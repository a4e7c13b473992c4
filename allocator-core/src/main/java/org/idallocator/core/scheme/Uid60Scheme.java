package org.idallocator.core.scheme;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.Uid60Generator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.IdType;
import org.idallocator.core.id.Uid60;

/**
 * uid60: a slot is a worker ID, 0..511, claimed by a self-incremental index and held for 3600 s at most. The storage
 * integer is 60 bits wide and right-aligned in 8 bytes, so that the timestamp starts at bit 4. The page of
 * {@link Uid60Generator} says how generators count, wait and are fenced.
 *
 * <pre>{@code
 * Uid60 id = LocalIds.onSystemClock().uid60(17).next();
 * long stored = id.toLong();                                // sorts by time
 * String shown = id.toString();                             // 10 characters that do not
 * boolean same = Uid60.fromLong(stored).equals(Uid60.parse(shown));    // true
 * }</pre>
 *
 * <p>The page of {@link Uid60} has the bits, text forms, capacity and order, what an ID reveals and when to choose the
 * scheme. The page of this package compares the schemes.
 */
public final class Uid60Scheme implements Scheme<Uid60> {
    public static final String NAME = "uid60";

    /** The keys of the scheme's section. */
    static final List<String> KEYS =
            List.of("longestTenureSeconds", SchemeOptions.LEASES, SchemeOptions.WINDOW, SchemeOptions.MAX_COUNT);

    private static final int WORKERS = 512;
    private static final Duration SHORTEST = Duration.ofSeconds(10);

    /** The longest time for which a worker ID may be held. */
    public static final Duration LONGEST_TENURE = Duration.ofHours(1);

    private final Duration longestTenure;

    /** {@code longestTenure} is how long a worker ID is held: 10 s to 3600 s, both inclusive. */
    public Uid60Scheme(Duration longestTenure) {
        if (longestTenure.compareTo(LONGEST_TENURE) > 0 || longestTenure.compareTo(SHORTEST) < 0) {
            throw Allowed.refused(
                    "uid60.longestTenureSeconds",
                    SHORTEST.toSeconds() + ".." + LONGEST_TENURE.toSeconds(),
                    longestTenure.toSeconds());
        }
        this.longestTenure = longestTenure;
    }

    static Uid60Scheme configured(SchemeOptions options) {
        return new Uid60Scheme(Duration.ofSeconds(options.number("longestTenureSeconds", 3_600, 10, 3_600)));
    }

    @Override
    public IdType<Uid60> type() {
        return Uid60.TYPE;
    }

    @Override
    public int largestCount(Variant variant) {
        return 100_000;
    }

    @Override
    public Optional<SlotPool> pool() {
        return Optional.of(new SlotPool(
                NAME,
                SlotNames.decimal(WORKERS),
                Uid60Generator.UNIT,
                SlotPool.Choice.INDEX,
                SlotPool.Growth.NONE,
                Optional.of(longestTenure),
                Map.of()));
    }

    @Override
    public long idsPerTick() {
        return Uid60.MAX_SEQUENCE + 1;
    }

    @Override
    public OptionalLong slotOf(Uid60 id) {
        return OptionalLong.of(id.worker());
    }

    @Override
    public Generator open(long slot, Fence fence) {
        int start = Randomness.SOURCE.nextInt(Uid60.MAX_SEQUENCE + 1);
        return new Uid60Generator((int) slot, start, Randomness.SOURCE::nextInt, fence);
    }
}
