package org.idallocator.core.scheme;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType;
import org.idallocator.core.id.IdType.Form;

/**
 * One scheme as configured: all that the rest of the program knows of it. Immutable, thread-safe.
 *
 * @param <T> the type of its IDs
 */
public interface Scheme<T extends Id> {

    /** How its IDs are read and written. */
    IdType<T> type();

    /** The name in paths and in the configuration. */
    default String name() {
        return type().name();
    }

    /** The text forms besides the canonical one, by the names that {@code form=} takes. */
    default List<Form<T>> forms() {
        return type().forms().subList(1, type().forms().size());
    }

    /** What a caller may ask for beyond a count. */
    default Optional<Parameter> parameter() {
        return Optional.empty();
    }

    /** The variant of requests that name none. */
    default Variant defaultVariant() {
        return parameter().map(Parameter::defaultVariant).orElse(Variant.NONE);
    }

    /**
     * The largest count of one request for a variant: 100,000,000, or fewer where the scheme's time holds fewer IDs.
     */
    default int largestCount(Variant variant) {
        return 100_000_000;
    }

    /**
     * The count of one request, read from text.
     *
     * @param name what the caller calls the count, for the error
     * @throws BadValueException naming the value and what is allowed, unless the text is a number from 1 to
     *     {@link #largestCount(Variant)} in decimal digits without a sign
     */
    default int count(String name, String text, Variant variant) {
        return new Allowed.Range(1, largestCount(variant)).read(name, text);
    }

    /**
     * Whether the IDs of one draw of a variant belong together. A grouped draw gives one ID more than its count: the ID
     * of the group comes first.
     */
    default boolean grouped(Variant variant) {
        return false;
    }

    /** Whether its IDs sort by time, so that some can be drawn after one that was seen. */
    default boolean sortsByTime() {
        return true;
    }

    /**
     * Refuses an ID after which no ID of a variant sorts, whenever it is drawn.
     *
     * @param name what the caller calls the ID, for the error
     * @throws BadValueException naming the ID and what is allowed
     */
    default void requireSomeAfter(String name, T seen, Variant variant) {}

    /** The slots that its generators lease; empty for a scheme that needs no lease. */
    default Optional<SlotPool> pool() {
        return Optional.empty();
    }

    /** The ticks in which its generators count. */
    default TickUnit unit() {
        return pool().orElseThrow().unit();
    }

    /**
     * The most IDs of one tick of one slot, outside a transaction; {@link Long#MAX_VALUE} where nothing limits them.
     */
    long idsPerTick();

    /**
     * The most IDs of one second of one slot, outside a transaction; {@link Long#MAX_VALUE} where nothing limits them.
     */
    default long idsPerSecond() {
        return idsPerTick() == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : idsPerTick() * TimeUnit.SECONDS.toMicros(1) / unit().tickMicros();
    }

    /** The slot from which an ID was drawn; empty when this configuration has no such slot. */
    OptionalLong slotOf(T id);

    /** What people have to know to read the bits of the layout, one sentence each; usually nothing. */
    default List<String> layoutNotes() {
        return List.of();
    }

    /** Remarks on an ID beyond its fields, one sentence each; usually none. */
    default List<String> remarks(T id) {
        return List.of();
    }

    /** Opens a generator for one tenure of a slot; {@code slot} is 0 where the scheme needs none. */
    Generator open(long slot, Fence fence);

    /**
     * How the slot's next tenure goes on where a closed generator stopped; empty where it starts above the last tick.
     */
    default Optional<Handover<?>> handover() {
        return Optional.empty();
    }

    /** The generator with which programs draw from whatever tenure {@code source} gives. */
    default IdGenerator<T> generator(TenureSource<? extends Generator> source, Duration maxWait, Clock clock) {
        return new IdGenerator<>(source, type().reader(), unit(), maxWait, clock).with(defaultVariant());
    }

    /**
     * A generator on a slot that the program assigns itself, without ZooKeeper. The program then promises what
     * {@link LocalIds} spells out. The slot's first tick is the clock's tick at this moment. Whatever the clock does,
     * no ID of this generator has an earlier tick.
     */
    default IdGenerator<T> onSlot(long slot, Duration maxWait, Clock clock) {
        Generator generator = open(slot, Fence.fromNow(clock, unit()));
        return generator(() -> generator, maxWait, clock);
    }
}
