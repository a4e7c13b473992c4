package org.idallocator.core.scheme;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.GeneratorsByType;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.generator.SnoGenerator;
import org.idallocator.core.generator.SnoRange;
import org.idallocator.core.id.Bounds;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.LogId;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.SegmentId;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;

/**
 * Generators of all schemes on slots that the program assigns itself, without ZooKeeper, leases or fences. Thread-safe.
 *
 * <pre>{@code
 * IdGenerator<Sno> snos = LocalIds.onSystemClock().sno(SnoPartition.of(7), SnoRange.ALL);
 * IdGenerator<EightByteId> ids = LocalIds.onSystemClock().eightbyte(generatorId, clusterId);
 * }</pre>
 *
 * <p>Neither threads nor a clock that steps back while the program runs make two IDs equal. The first tick of a
 * generator that is opened here is the clock's tick when its slot was first asked for. It issues no ID of an earlier
 * tick. While the clock is behind that tick, draws wait. Draws that would wait for too long throw a
 * {@link org.idallocator.core.fence.FencedException}. For the rest, the program promises:
 *
 * <ul>
 *   <li>Nobody else uses the slot at the same time: no other process, and in this process no other instance of this
 *       class. An instance gives the same generator whenever it is asked for a slot, and refuses sno ranges that
 *       overlap.
 *   <li>After a restart, the program asks for a slot only when the clock is past the tick of the slot's last ID. A sno
 *       generator that is restored from the {@link SnoGenerator#snapshot} of its closed predecessor needs no such
 *       promise.
 * </ul>
 *
 * <p>An {@code IdAllocator} with leases needs neither promise. Numbers out of bounds throw
 * {@link IllegalArgumentException}.
 */
public final class LocalIds {
    /** How long a call may wait without progress, where the program does not say how long: 2 s. */
    public static final Duration DEFAULT_WAIT = Duration.ofSeconds(2);

    private static final LocalIds ON_SYSTEM_CLOCK = new LocalIds(DEFAULT_WAIT, Clock.system());

    private final Duration maxWait;
    private final Clock clock;
    private final long medallion = Muid.MIN_MEDALLION | (Randomness.SOURCE.nextLong() >>> 16);
    private final Map<Slot, Served> served = new HashMap<>(); // guarded by this
    private final List<Snos> snos = new ArrayList<>(); // guarded by this; no two overlap

    /** {@code maxWait} is how long a call may wait without progress. */
    public LocalIds(Duration maxWait, Clock clock) {
        this.maxWait = maxWait;
        this.clock = clock;
    }

    /** The program's one instance on the machine's clock. Calls wait for up to {@link #DEFAULT_WAIT}. */
    public static LocalIds onSystemClock() {
        return ON_SYSTEM_CLOCK;
    }

    private record Slot(String pool, long number) {}

    /** What was given for a slot is given again, so that all callers of the slot queue together. */
    private record Served(boolean onePerMillisecond, IdGenerator<?> ids) {}

    private record Snos(SnoGenerator generator, IdGenerator<Sno> ids) {

        boolean overlaps(SnoPartition partition, SnoRange range) {
            return generator.partition().equals(partition) && generator.range().overlaps(range);
        }
    }

    /**
     * The generator of a partition and a range of sequences: {@link SnoRange#ALL} unless generators share the
     * partition.
     */
    public synchronized IdGenerator<Sno> sno(SnoPartition partition, SnoRange range) {
        for (Snos other : snos) {
            if (other.overlaps(partition, range)) {
                SnoRange own = other.generator().range();
                if (own.equals(range)) {
                    return other.ids();
                }
                throw new IllegalArgumentException("partition " + partition.number() + " has a generator for "
                        + bounds(own) + " already, which overlaps " + bounds(range));
            }
        }
        return drawing(new SnoGenerator(partition, range, Fence.fromNow(clock, SnoGenerator.UNIT)));
    }

    private static String bounds(SnoRange range) {
        return range.min() + ".." + range.max();
    }

    /**
     * Draws from a generator that the program opened, because it was restored or because its snapshot will be taken. It
     * replaces generators with overlapping ranges, which the program must have closed.
     */
    public synchronized IdGenerator<Sno> sno(SnoGenerator generator) {
        for (Snos other : snos) {
            if (other.generator() == generator) {
                return other.ids();
            }
        }
        snos.removeIf(other -> other.overlaps(generator.partition(), generator.range()));
        return drawing(generator);
    }

    private IdGenerator<Sno> drawing(SnoGenerator generator) {
        SnoScheme scheme = new SnoScheme(generator.partition().number(), 1, 1);
        Snos served = new Snos(generator, scheme.generator(() -> generator, maxWait, clock));
        snos.add(served);
        return served.ids();
    }

    /**
     * The generator of this instance's random medallion. The chance that two instances have an equal one is 1 in 2^48.
     * Processes that go on from one checkpoint have one medallion in common: there, ask another instance for muids.
     * More than a transaction a microsecond needs more medallions: see {@link #muid(long)}.
     */
    public IdGenerator<Muid> muid() {
        return muid(medallion);
    }

    /** The generator of a medallion, {@link Muid#MIN_MEDALLION} to {@link Muid#MAX_MEDALLION}, both inclusive. */
    public IdGenerator<Muid> muid(long medallion) {
        return onSlot(new MuidScheme(), Muid.of(0, medallion, 0).medallion() - Muid.MIN_MEDALLION, false);
    }

    /** The generator of a generator ID, 0..63, in a cluster, 0..15. */
    public IdGenerator<EightByteId> eightbyte(int generatorId, int clusterId) {
        return onSlot(new EightByteScheme(clusterId), generatorId, false);
    }

    /** The same with at most one ID a millisecond, and no two in a row that start with the same byte. */
    public IdGenerator<EightByteId> eightbyteOnePerMillisecond(int generatorId, int clusterId) {
        return onSlot(new EightByteScheme(clusterId, true), generatorId, true);
    }

    /** The generator of a worker ID, 0..511. */
    public IdGenerator<Uid60> uid60(int workerId) {
        return onSlot(new Uid60Scheme(Duration.ofHours(1)), workerId, false);
    }

    /** A generator of IDs of a type. It needs no slot and no promise. */
    public IdGenerator<Gid> gid(GidType type) {
        return new GidScheme(type).onSlot(0, maxWait, clock);
    }

    /** A generator of IDs of volumes, as values of their own type. */
    public IdGenerator<VolumeId> volumes() {
        return gid(GidType.VOLUME).as(VolumeId::new);
    }

    /** A generator of IDs of logs, as values of their own type. */
    public IdGenerator<LogId> logs() {
        return gid(GidType.LOG).as(LogId::new);
    }

    /** A generator of IDs of segments, as values of their own type. */
    public IdGenerator<SegmentId> segments() {
        return gid(GidType.SEGMENT).as(SegmentId::new);
    }

    /**
     * The generators of all types of ID on slots of one number: of sno, that partition with {@link SnoRange#ALL}; of
     * muid, the medallion {@link Muid#MIN_MEDALLION} and so many more; of eightbyte, that generator ID in cluster 0; of
     * uid60, that worker ID. Gids need no slot, and are volumes unless a type is asked for. What the program promises
     * of a slot it promises of each that it draws from: a slot is asked for when its type is, and not before.
     *
     * @param slot 0..65535; eightbyte has 0..63 alone, and uid60 0..511: for more, {@link IdGenerators#of} throws
     *     {@link IllegalArgumentException}
     */
    public IdGenerators generators(int slot) {
        SnoPartition partition = SnoPartition.of(Bounds.require("slot", slot, 0, Sno.MAX_PARTITION));
        return new GeneratorsByType(
                () -> sno(partition, SnoRange.ALL),
                () -> muid(Muid.MIN_MEDALLION + slot),
                () -> eightbyte(slot, 0),
                () -> uid60(slot),
                () -> gid(GidType.VOLUME));
    }

    private synchronized <T extends Id> IdGenerator<T> onSlot(
            Scheme<T> scheme, long number, boolean onePerMillisecond) {
        Slot slot = new Slot(scheme.pool().orElseThrow().path(), number);
        Served one = served.computeIfAbsent(
                slot, absent -> new Served(onePerMillisecond, scheme.onSlot(number, maxWait, clock)));
        if (one.onePerMillisecond() != onePerMillisecond) {
            throw new IllegalArgumentException("generator " + slot.number() + " of " + slot.pool() + " draws "
                    + (onePerMillisecond ? "more than one ID" : "one ID") + " a millisecond already");
        }
        return one.ids().as(scheme.type().reader());
    }
}
