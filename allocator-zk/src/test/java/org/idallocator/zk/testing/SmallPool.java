package org.idallocator.zk.testing;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.Uid60Generator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.scheme.Handover;
import org.idallocator.core.scheme.Parameter;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotNames;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.Uid60Scheme;

/**
 * A scheme with only its first few slots, so that slots change hands often. Names are binary, so that names get longer
 * or shorter where the number of slots changes.
 */
public final class SmallPool<T extends Id> implements Scheme<T> {
    private static final int RADIX = 2;

    private final Scheme<T> scheme;
    private final SlotPool pool;
    private final OpenListener listener;

    private SmallPool(Scheme<T> scheme, SlotPool pool, OpenListener listener) {
        this.scheme = scheme;
        this.pool = pool;
        this.listener = listener;
    }

    /** Hears of every generator that is opened. */
    @FunctionalInterface
    public interface OpenListener {
        void opened(SmallPool<?> pool, long slot, Fence fence, Generator generator);
    }

    public static <T extends Id> SmallPool<T> of(Scheme<T> scheme, long size) {
        SlotPool whole = scheme.pool().orElseThrow();
        return of(scheme, size, whole.longestTenure());
    }

    public static <T extends Id> SmallPool<T> of(Scheme<T> scheme, long size, Optional<Duration> longestTenure) {
        SlotPool whole = scheme.pool().orElseThrow();
        SlotNames names = whole.names();
        return new SmallPool<>(
                scheme,
                new SlotPool(
                        whole.path(),
                        new SlotNames(size, RADIX, names.base()),
                        whole.unit(),
                        whole.choice(),
                        whole.growth(),
                        longestTenure,
                        whole.layout()),
                (opened, slot, fence, generator) -> {});
    }

    /** The same, and {@code listener} hears of every generator that is opened for one of its slots. */
    public SmallPool<T> telling(OpenListener newListener) {
        return new SmallPool<>(scheme, pool, newListener);
    }

    @Override
    public String name() {
        return scheme.name();
    }

    @Override
    public IdType<T> type() {
        return scheme.type();
    }

    @Override
    public List<Form<T>> forms() {
        return scheme.forms();
    }

    @Override
    public Optional<Parameter> parameter() {
        return scheme.parameter();
    }

    @Override
    public int largestCount(Variant variant) {
        return scheme.largestCount(variant);
    }

    @Override
    public boolean grouped(Variant variant) {
        return scheme.grouped(variant);
    }

    @Override
    public Optional<SlotPool> pool() {
        return Optional.of(pool);
    }

    @Override
    public long idsPerTick() {
        return scheme.idsPerTick();
    }

    @Override
    public OptionalLong slotOf(T id) {
        return scheme.slotOf(id);
    }

    @Override
    public Generator open(long slot, Fence fence) {
        return told(slot, fence, scheme instanceof Uid60Scheme ? withoutChance(slot, fence) : scheme.open(slot, fence));
    }

    /**
     * A generator of uid60s that all differ by their numbers: random bits would hide 511 of 512 numbers that are given
     * twice.
     */
    private static Generator withoutChance(long slot, Fence fence) {
        return new Uid60Generator((int) slot, Uid60.MAX_SEQUENCE - (int) slot, () -> 0, fence);
    }

    private Generator told(long slot, Fence fence, Generator generator) {
        listener.opened(this, slot, fence, generator);
        return generator;
    }

    @Override
    public Optional<Handover<?>> handover() {
        return scheme.handover().<Handover<?>>map(this::told);
    }

    private <S> Handover<S> told(Handover<S> handover) {
        return new Handover<>(
                handover.type(),
                handover.used(),
                (slot, from, fence) -> told(slot, fence, handover.resume().open(slot, from, fence)));
    }

    /** The tick of an ID, which is its first field. The ID is given as bits. */
    public long tickOf(long high, long low) {
        return type().fields().get(0).value().applyAsLong(type().reader().of(high, low));
    }

    /** The slot of an ID of one of this scheme's slots. The ID is given as bits. */
    public long slotOf(long high, long low) {
        return slotOf(type().reader().of(high, low)).orElseThrow();
    }
}
