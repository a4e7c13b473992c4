package org.idallocator.core.scheme;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.EightByteGenerator;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.IdType;

/**
 * eightbyte: a slot is a generator ID, 64 in each of 16 clusters. The cluster ID is configured, never negotiated, and
 * is part of the pool's path. The page of {@link EightByteGenerator} says how generators count, wait and are fenced.
 * Generators with and without the limit of one ID a millisecond may share a pool.
 *
 * <p><b>A range of keys is never a range of time</b>, by design: the time's bits are reversed, so that the IDs of one
 * moment are spread over all keys. A scan for what was made since yesterday needs the time in a column or a compound
 * key of its own; {@link EightByteId#BY_TIME} sorts the IDs at hand.
 *
 * <p>With a coordinator the generator ID is leased, and only the cluster ID is configured. Without a coordinator, the
 * program assigns both IDs:
 *
 * <pre>{@code
 * AllocatorSettings ofCluster3 =
 *         AllocatorSettings.of(List.of(new EightByteScheme(3)), ZooKeeperSettings.of("zk1:2181,zk2:2181,zk3:2181"));
 * try (IdAllocator coordinated = IdAllocator.connect(ofCluster3)) {
 *     byte[] key = coordinated.eightbyte().next().toBytes();
 * }
 * }</pre>
 *
 * <pre>{@code
 * IdGenerator<EightByteId> local = LocalIds.onSystemClock().eightbyte(17, 3);
 * byte[] key = local.next().toBytes();
 * EightByteId back = EightByteId.fromBytes(key);
 * }</pre>
 *
 * <p>The page of {@link EightByteId} has the bits, text forms, capacity and order, what an ID reveals and when to
 * choose the scheme. The page of this package compares the schemes.
 */
public final class EightByteScheme implements Scheme<EightByteId> {
    public static final String NAME = "eightbyte";

    /** The keys of the scheme's section. */
    static final List<String> KEYS = List.of(
            "clusterId", "onePerMillisecond", SchemeOptions.LEASES, SchemeOptions.WINDOW, SchemeOptions.MAX_COUNT);

    private static final int GENERATORS = 64;

    private final int cluster;
    private final boolean onePerMillisecond;

    /** {@code cluster} is 0..15; throws {@link IllegalArgumentException} for others. */
    public EightByteScheme(int cluster) {
        this(cluster, false);
    }

    /** The same, with at most one ID a millisecond from each generator if {@code onePerMillisecond}. */
    public EightByteScheme(int cluster, boolean onePerMillisecond) {
        this.cluster = EightByteId.of(0, 0, 0, cluster).cluster();
        this.onePerMillisecond = onePerMillisecond;
    }

    /** 0..15. */
    public int clusterId() {
        return cluster;
    }

    static EightByteScheme configured(SchemeOptions options) {
        return new EightByteScheme(options.number("clusterId", 0, 0, 15), options.flag("onePerMillisecond", false));
    }

    @Override
    public IdType<EightByteId> type() {
        return EightByteId.TYPE;
    }

    @Override
    public boolean sortsByTime() {
        return false;
    }

    @Override
    public int largestCount(Variant variant) {
        return onePerMillisecond ? 100_000 : 10_000_000;
    }

    @Override
    public Optional<SlotPool> pool() {
        return Optional.of(new SlotPool(
                NAME + "/%02d".formatted(cluster),
                SlotNames.decimal(GENERATORS),
                EightByteGenerator.UNIT,
                SlotPool.Choice.RANDOM,
                SlotPool.Growth.OTHER_CLUSTER,
                Optional.empty(),
                Map.of("clusterId", cluster)));
    }

    @Override
    public long idsPerTick() {
        return onePerMillisecond ? 1 : EightByteId.MAX_SEQUENCE + 1;
    }

    @Override
    public List<String> layoutNotes() {
        return List.of("the bits of timestamp_ms are reversed: bit 0 is its least significant one");
    }

    @Override
    public OptionalLong slotOf(EightByteId id) {
        return id.cluster() == cluster ? OptionalLong.of(id.generator()) : OptionalLong.empty();
    }

    @Override
    public Generator open(long slot, Fence fence) {
        return new EightByteGenerator((int) slot, cluster, onePerMillisecond, fence);
    }
}
