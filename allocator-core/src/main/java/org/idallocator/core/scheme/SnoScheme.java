package org.idallocator.core.scheme;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.SnoGenerator;
import org.idallocator.core.generator.SnoPorter;
import org.idallocator.core.generator.SnoRange;
import org.idallocator.core.generator.SnoSnapshot;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.id.IdType;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;

/**
 * sno: a slot is a partition and one of {@code shards} equal ranges of its sequences. Slot n is partition
 * {@code partition + n / shards}, range {@code n % shards}. The page of {@link SnoGenerator} says how generators count,
 * wait and are fenced.
 *
 * <pre>{@code
 * IdGenerator<Sno> snos = LocalIds.onSystemClock().sno(SnoPartition.of(7), SnoRange.ALL);
 * Sno order = snos.with(SnoGenerator.metabyte(3)).next();              // with metabyte 3
 * Sno from = Sno.first(Instant.parse("2026-01-01T00:00:00Z"));         // the keys of a day: from, inclusive,
 * Sno to = Sno.first(Instant.parse("2026-01-02T00:00:00Z"));           // to, exclusive
 * }</pre>
 *
 * <p>The page of {@link Sno} has the bits, text forms, capacity and order, what an ID reveals and when to choose the
 * scheme. The page of this package compares the schemes.
 */
public final class SnoScheme implements Scheme<Sno> {
    public static final String NAME = "sno";

    /** The keys of the scheme's section. */
    static final List<String> KEYS = List.of(
            "partition", "partitions", "shards", SchemeOptions.LEASES, SchemeOptions.WINDOW, SchemeOptions.MAX_COUNT);

    private static final int SEQUENCES = 65_536;
    private static final Allowed.Range METABYTES = new Allowed.Range(0, Sno.MAX_METABYTE);

    private final int partition;
    private final int partitions;
    private final int shards;

    /**
     * A pool of {@code partitions * shards} slots. Throws {@link BadValueException} for other numbers.
     *
     * @param partition the first partition, 0..65535
     * @param partitions how many partitions, 1..65536; the last one must not be above 65535
     * @param shards how many ranges a partition has: a divisor of 65536, at most 16384, as each needs 4 sequences
     */
    public SnoScheme(int partition, int partitions, int shards) {
        if (partition < 0 || partitions < 1 || partition > SEQUENCES - partitions) {
            throw new BadValueException(
                    "sno.partition", "+ sno.partitions must be 1..65536: " + partition + " + " + partitions);
        }
        if (shards < 1 || SEQUENCES % shards != 0 || SEQUENCES / shards < SnoRange.SMALLEST) {
            throw new BadValueException(
                    "sno.shards", "must divide 65536 into ranges of at least 4 (1, 2, 4, ..., 16384): " + shards);
        }
        this.partition = partition;
        this.partitions = partitions;
        this.shards = shards;
    }

    static SnoScheme configured(SchemeOptions options) {
        return new SnoScheme(
                options.number("partition", 0, 0, 65_535),
                options.number("partitions", 256, 1, 65_536),
                options.number("shards", 4, 1, 16_384));
    }

    @Override
    public IdType<Sno> type() {
        return Sno.TYPE;
    }

    @Override
    public Optional<Parameter> parameter() {
        return Optional.of(new Parameter(
                "metabyte",
                METABYTES,
                Variant.NONE,
                value -> SnoGenerator.metabyte(METABYTES.read("metabyte", value))));
    }

    @Override
    public Optional<SlotPool> pool() {
        SlotNames names = SlotNames.decimal((long) partitions * shards);
        Map<String, Object> layout = Map.of("partition", partition, "partitions", partitions, "shards", shards);
        return Optional.of(new SlotPool(
                NAME,
                names,
                SnoGenerator.UNIT,
                SlotPool.Choice.RANDOM,
                SlotPool.Growth.LARGER_POOL,
                Optional.empty(),
                layout));
    }

    @Override
    public long idsPerTick() {
        return SEQUENCES / shards;
    }

    @Override
    public OptionalLong slotOf(Sno id) {
        long slot = (long) (id.partition() - partition) * shards + id.sequence() / (SEQUENCES / shards);
        boolean ours = id.partition() >= partition && id.partition() < partition + partitions;
        return ours ? OptionalLong.of(slot) : OptionalLong.empty();
    }

    @Override
    public Generator open(long slot, Fence fence) {
        return new SnoGenerator(partitionOf(slot), rangeOf(slot), fence);
    }

    private SnoPartition partitionOf(long slot) {
        return SnoPartition.of(partition + (int) (slot / shards));
    }

    private SnoRange rangeOf(long slot) {
        int size = SEQUENCES / shards;
        int min = (int) (slot % shards) * size;
        return new SnoRange(min, min + size - 1);
    }

    /**
     * The original's snapshot: the next tenure goes on in the same 4 ms, or toggles the tick where its clock is behind.
     */
    @Override
    public Optional<Handover<?>> handover() {
        return Optional.of(new Handover<>(
                SnoSnapshot.class, this::lastTick, (slot, from, fence) -> SnoGenerator.restore(from, fence)));
    }

    private long lastTick(long slot, SnoSnapshot from) {
        if (!from.partition().equals(partitionOf(slot)) || !from.range().equals(rangeOf(slot))) {
            throw new IllegalArgumentException("snapshot of another slot than " + slot + ": " + from);
        }
        return from.lastTick();
    }

    /**
     * A porter for IDs of times that the caller chooses, on a partition that no generator of this pool has.
     *
     * @throws IllegalArgumentException if the partition is one of the pool's
     */
    public SnoPorter porter(SnoPartition ofItsOwn) {
        int number = ofItsOwn.number();
        if (number >= partition && number < partition + partitions) {
            throw new IllegalArgumentException("a porter's partition must not be one of the pool's, " + partition + ".."
                    + (partition + partitions - 1) + ": " + number);
        }
        return new SnoPorter(ofItsOwn, SnoRange.ALL);
    }
}
