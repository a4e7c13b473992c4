package org.idallocator.core.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.GeneratorsByType;
import org.idallocator.core.generator.GidGenerator;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.generator.Uid60Generator;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.GidScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;

/**
 * Generators for unit tests, without ZooKeeper. <b>Their IDs are the same in each run, so they are not unique</b>: for
 * tests alone. All are thread-safe; which thread draws which ID is left to the threads.
 *
 * <pre>{@code
 * IdGenerator<Sno> counting = TestIds.counting(new SnoScheme(0, 1, 1));
 * String first = counting.next().toString();                            // 9d5ve82222222222, in each run
 *
 * Sno one = Sno.parse("9q7qmwq2222dhi22");
 * IdGenerator<Sno> given = TestIds.of(one);
 * boolean same = given.next().equals(one);                              // true; a second draw throws
 *
 * IdGenerator<Sno> fenced = TestIds.fenced(FenceReason.UNREACHABLE);    // each draw throws
 *
 * AtomicReference<Optional<FenceReason>> state = new AtomicReference<>(Optional.empty());
 * IdGenerator<Sno> changing = TestIds.counting(new SnoScheme(0, 1, 1), state::get);
 * changing.next();
 * state.set(Optional.of(FenceReason.UNREACHABLE));                      // from now on draws throw
 * state.set(Optional.empty());                                          // and now they go on
 *
 * IdGenerators all = TestIds.all();                                     // for what takes a program's IdGenerators
 * }</pre>
 */
public final class TestIds {
    /** 2026-01-01T00:00:00Z, the time of the first ID of each generator that counts. */
    public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** Waiting costs no time here, so no draw is refused because it would have to wait. */
    private static final Duration ANY_WAIT = Duration.ofDays(1);

    /** For generators in which no tick is ever used up. */
    private static final TickUnit NO_TICKS = new TickUnit(0, 1, 62);

    /** After the times of all IDs, so that no draw of given IDs waits until one that was seen is past. */
    private static final Instant AFTER_ALL = Instant.parse("+11000-01-01T00:00:00Z");

    private TestIds() {}

    /**
     * The IDs of slot 0 of a scheme from {@link #START} on, as a generator of a program draws them: one by one, in
     * batches, with variants and in transactions. Time stands still until a tick is used up; then it moves on to the
     * next at once, so no draw is over capacity. What is random in other generators is not: uid60's sequence begins
     * with 0, and the random bits of uid60s and gids are 0, 1, 2, ..., those of uid60s modulo 512.
     */
    public static <T extends Id> IdGenerator<T> counting(Scheme<T> scheme) {
        return counting(scheme, Optional::empty);
    }

    /**
     * The same with an outage that the test scripts: for as long as {@code fenced} gives a reason, draws throw
     * {@link FencedException} with that reason, and use nothing up. {@code fenced} is asked at each draw, and may be
     * asked more than once: it tells a state, and is no list of answers.
     */
    public static <T extends Id> IdGenerator<T> counting(Scheme<T> scheme, Supplier<Optional<FenceReason>> fenced) {
        Clock clock = clockAt(START);
        Generator generator = openSlot0(scheme, clock);
        TenureSource<Generator> source = () -> {
            fenced.get().ifPresent(reason -> {
                throw refusal(reason);
            });
            return generator;
        };
        return scheme.generator(source, ANY_WAIT, clock);
    }

    private static Clock clockAt(Instant time) {
        return new ScriptedClock(time.getEpochSecond() * 1_000_000);
    }

    private static Generator openSlot0(Scheme<?> scheme, Clock clock) {
        Fence fence = Fence.fromNow(clock, scheme.unit());
        AtomicLong bits = new AtomicLong();
        if (scheme instanceof Uid60Scheme) {
            return new Uid60Generator(0, 0, () -> (int) bits.getAndIncrement(), fence);
        }
        if (scheme instanceof GidScheme) {
            return new GidGenerator(bits::getAndIncrement, clock);
        }
        return scheme.open(0, fence);
    }

    private static FencedException refusal(FenceReason reason) {
        return FencedException.of(reason, "a test says so");
    }

    /**
     * These IDs, in this order, whatever variant is asked for. A draw of more than are left takes none of them, and
     * throws {@link IllegalStateException}. A draw after an ID that was seen passes over those that do not sort after.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the list is a copy of the array
    public static <T extends Id> IdGenerator<T> of(T... ids) {
        GivenIds<T> given = new GivenIds<>(List.of(ids));
        return from(() -> given, given::ofBits);
    }

    /** Each draw throws {@link FencedException} with this reason, as where a replica has lost its slot. */
    public static <T extends Id> IdGenerator<T> fenced(FenceReason reason) {
        GivenIds<T> none = new GivenIds<>(List.of());
        return from(
                () -> {
                    throw refusal(reason);
                },
                none::ofBits);
    }

    private static <T extends Id> IdGenerator<T> from(TenureSource<Generator> source, IdReader<T> reader) {
        return new IdGenerator<>(source, reader, NO_TICKS, ANY_WAIT, clockAt(AFTER_ALL));
    }

    /**
     * A generator that {@linkplain #counting(Scheme) counts} for each type of ID. All that are asked for snos draw from
     * one, and so on: gids of whatever type from one, too.
     */
    public static IdGenerators all() {
        IdGenerator<Sno> snos = counting(new SnoScheme(0, 1, 1));
        IdGenerator<Muid> muids = counting(new MuidScheme());
        IdGenerator<EightByteId> eightbytes = counting(new EightByteScheme(0));
        IdGenerator<Uid60> uid60s = counting(new Uid60Scheme(Uid60Scheme.LONGEST_TENURE));
        IdGenerator<Gid> gids = counting(new GidScheme(GidType.VOLUME));
        return new GeneratorsByType(() -> snos, () -> muids, () -> eightbytes, () -> uid60s, () -> gids);
    }
}
