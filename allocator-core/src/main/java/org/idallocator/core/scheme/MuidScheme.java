package org.idallocator.core.scheme;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.MuidGenerator;
import org.idallocator.core.generator.MuidTransaction;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.IdType;
import org.idallocator.core.id.Muid;

/**
 * muid: a slot is a medallion of the version 1 range; slot n is medallion 2^48 + n. A slot is written as the 13 hex
 * digits of its medallion. The page of {@link MuidGenerator} says how generators count, wait and are fenced.
 *
 * <pre>{@code
 * IdGenerator<Muid> muids = LocalIds.onSystemClock().muid();
 * Muid alone = muids.next();                                       // object 1 of a transaction of its own
 * MuidTransaction transaction = MuidTransaction.begin(muids);
 * Muid itself = transaction.id();                                  // offset 0
 * Muid object = transaction.next();                                // offset 1
 * boolean together = object.transaction().equals(itself);          // true
 * }</pre>
 *
 * <p>The page of {@link Muid} has the bits, text forms, capacity and order, what an ID reveals and when to choose the
 * scheme. The page of this package compares the schemes.
 */
public final class MuidScheme implements Scheme<Muid> {
    public static final String NAME = "muid";

    /** The keys of the scheme's section. */
    static final List<String> KEYS = List.of(SchemeOptions.LEASES, SchemeOptions.WINDOW, SchemeOptions.MAX_COUNT);

    private static final long MEDALLIONS = 1L << 48;

    private static Variant variant(String value) {
        boolean whole = Boolean.parseBoolean(Allowed.OneOf.TRUE_OR_FALSE.read("transaction", value));
        return whole ? MuidGenerator.TRANSACTION : MuidGenerator.OBJECTS;
    }

    @Override
    public IdType<Muid> type() {
        return Muid.TYPE;
    }

    @Override
    public Optional<Parameter> parameter() {
        return Optional.of(
                new Parameter("transaction", Allowed.OneOf.TRUE_OR_FALSE, MuidGenerator.OBJECTS, MuidScheme::variant));
    }

    @Override
    public int largestCount(Variant variant) {
        return grouped(variant) ? MuidTransaction.MAX_SIZE : Scheme.super.largestCount(variant);
    }

    @Override
    public boolean grouped(Variant variant) {
        return variant.equals(MuidGenerator.TRANSACTION);
    }

    @Override
    public Optional<SlotPool> pool() {
        SlotNames names = new SlotNames(MEDALLIONS, 16, MEDALLIONS);
        return Optional.of(new SlotPool(
                NAME,
                names,
                MuidGenerator.UNIT,
                SlotPool.Choice.REUSE,
                SlotPool.Growth.NONE,
                Optional.empty(),
                Map.of()));
    }

    @Override
    public long idsPerTick() {
        return 1;
    }

    @Override
    public OptionalLong slotOf(Muid id) {
        return id.isVersion1() ? OptionalLong.of(id.medallion() - MEDALLIONS) : OptionalLong.empty();
    }

    @Override
    public List<String> remarks(Muid id) {
        return id.isVersion1()
                ? List.of()
                : List.of(
                        "the medallion is outside the version 1 range 1000000000000..1FFFFFFFFFFFF; no generator of this"
                                + " allocator makes it");
    }

    @Override
    public Generator open(long slot, Fence fence) {
        return new MuidGenerator(MEDALLIONS + slot, fence);
    }
}
