package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.idallocator.core.scheme.LocalIds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IdGeneratorTest {
    private static final long NOW_MS = 1_000_000;
    private static final int CAPACITY = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ScriptedClock clock = new ScriptedClock(NOW_MS * 1_000);
    private final Fence fence = Fence.unbounded(clock, 0, EightByteGenerator.UNIT.maxTick());
    private final List<EightByteId> ids = new ArrayList<>();
    private final IdSink sink = (high, low) -> ids.add(new EightByteId(high, low));

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void shouldPollNothingAndNotWaitWhenTickIsUsedUp() {
        IdGenerator<EightByteId> generator = onSlot(7, fence, PATIENCE);
        generator.next(CAPACITY);

        assertFalse(generator.poll(sink));

        assertEquals(List.of(), ids);
        assertEquals(0, clock.nanos(), "nobody waited");
        assertEquals(EightByteId.of(NOW_MS + 1, 0, 7, 0), generator.next(), "nothing was used up");
    }

    @Test
    void shouldPollNothingWhenFenced() {
        fence.trip(FenceReason.DEADLINE_PASSED, "a test says so");

        assertFalse(onSlot(7, fence, PATIENCE).poll(sink));
        assertFalse(of(
                        () -> {
                            throw new FencedException(FenceReason.STARTING, "no tenure yet", Duration.ofSeconds(1));
                        },
                        PATIENCE)
                .poll(sink));

        assertEquals(List.of(), ids);
    }

    @Test
    void shouldGoOnPastPatienceWhenEveryTickGivesSome() {
        onSlot(7, fence, Duration.ofMillis(1)).next(100 * CAPACITY, sink);

        assertEquals(100 * CAPACITY, new HashSet<>(ids).size());
        assertEquals(99_000_000, clock.nanos());
    }

    @Test
    void shouldRefuseWhenNextTickIsBeyondPatience() {
        IdGenerator<EightByteId> generator = onSlot(7, fence, Duration.ofNanos(999_999));

        OverCapacityException thrown =
                assertThrows(OverCapacityException.class, () -> generator.next(CAPACITY + 1, sink));

        assertEquals(
                "more IDs were asked for than the time holds: the next IDs are due in 1 ms, after waiting up to 0 ms",
                thrown.getMessage());
        assertEquals(Duration.ofMillis(1), thrown.retryAfter());
        assertShowsCaller("shouldRefuseWhenNextTickIsBeyondPatience", thrown);
        assertEquals(CAPACITY, ids.size(), "used up");
        assertEquals(0, clock.nanos(), "at once");
    }

    @Test
    void shouldRefuseWhenWaitsAddUpToPatience() {
        Clock stopped = new ParkingClock(clock, nanos -> {
            clock.park(nanos);
            clock.setMicros(NOW_MS * 1_000);
        });
        Generator generator = new EightByteGenerator(7, 0, false, fence);
        IdGenerator<EightByteId> calls = of(() -> generator, Duration.ofMillis(3), stopped);
        calls.next(CAPACITY, sink);

        OverCapacityException thrown = assertThrows(OverCapacityException.class, calls::next);

        assertEquals(
                "more IDs were asked for than the time holds: the next IDs are due in 1 ms, after waiting up to 3 ms",
                thrown.getMessage());
        assertEquals(3_000_000, clock.nanos());
    }

    @Test
    void shouldSayCoolingWhenEarlierHoldersTicksAreTooFarOff() {
        Fence ahead = Fence.unbounded(clock, NOW_MS + 5_000, EightByteGenerator.UNIT.maxTick());

        FencedException thrown = assertThrows(
                FencedException.class, () -> onSlot(7, ahead, PATIENCE).next());

        assertEquals(FenceReason.COOLING, thrown.reason());
        assertEquals(
                "the clock has not reached the first tick above all that was, or may have been, reserved before; it serves when it"
                        + " has (the next IDs are due in 5000 ms, after waiting up to 2000 ms)",
                thrown.getMessage());
        assertEquals(Duration.ofSeconds(5), thrown.retryAfter());
    }

    /** Who asks for fewer IDs gets none the sooner: it is the clock that has to be put right. */
    @Test
    void shouldSayThatTheClockIsBehindWhenItWasPutBackFurtherThanCallersWait() {
        IdGenerator<EightByteId> generator = onSlot(7, fence, PATIENCE);
        generator.next(CAPACITY);
        clock.setMicros((NOW_MS - 2_500) * 1_000);

        FencedException thrown = assertThrows(FencedException.class, generator::next);

        assertEquals(FenceReason.CLOCK_BEHIND, thrown.reason());
        assertEquals(
                "the clock was put back, behind the last ID issued; it serves when the clock is past that, or on another slot"
                        + " (the next IDs are due in 2501 ms, after waiting up to 2000 ms)",
                thrown.getMessage());
        assertEquals(Duration.ofMillis(2_501), thrown.retryAfter());
        assertShowsCaller("shouldSayThatTheClockIsBehind", thrown);
        clock.advance(Duration.ofMillis(501));
        assertEquals(EightByteId.of(NOW_MS + 1, 0, 7, 0), generator.next(), "within patience");
    }

    @Test
    void shouldGoOnWithNextTenureWhenOneEndsInABatch() {
        Fence first = Fence.unbounded(clock, 0, NOW_MS);
        Generator fenced = new EightByteGenerator(1, 0, false, first);
        Generator next = new EightByteGenerator(2, 0, false, fence);

        of(() -> first.tripIfOverdue() == null ? fenced : next, PATIENCE).next(CAPACITY + 10, sink);

        assertEquals(CAPACITY + 10, new HashSet<>(ids).size());
        assertEquals(1, ids.get(CAPACITY - 1).generator());
        assertEquals(2, ids.get(CAPACITY).generator());
        assertEquals(0, ids.get(CAPACITY).sequence());
    }

    @Test
    void shouldThrowSourcesReasonWhenItHasNothing() {
        FencedException nothing = fence.trip(FenceReason.STARTING, "just started");
        TenureSource<Generator> source = () -> {
            throw nothing;
        };

        assertRepeats(
                nothing,
                assertThrows(FencedException.class, () -> of(source, PATIENCE).next()));
    }

    @Test
    void shouldThrowSourcesReasonWhenTenureEndsAndItHasNoOther() {
        AtomicReference<Generator> serving = new AtomicReference<>(new EightByteGenerator(1, 0, false, fence));
        FencedException nothing = Fence.unbounded(clock, 0, 1).trip(FenceReason.UNREACHABLE, "no ZooKeeper");
        TenureSource<Generator> source = () -> {
            if (fence.tripIfOverdue() != null) {
                throw nothing;
            }
            return serving.getAndUpdate(generator -> {
                fence.trip(FenceReason.DEADLINE_PASSED, "meanwhile");
                return generator;
            });
        };

        assertRepeats(
                nothing,
                assertThrows(FencedException.class, () -> of(source, PATIENCE).next()));
    }

    private static void assertRepeats(FencedException kept, FencedException thrown) {
        assertEquals(kept.reason(), thrown.reason());
        assertEquals(kept.getMessage(), thrown.getMessage());
        assertEquals(kept.retryAfter(), thrown.retryAfter());
    }

    /** The trace has the frames of the program, with which a person finds the call that failed. */
    private static void assertShowsCaller(String method, RuntimeException thrown) {
        assertTrue(
                Arrays.stream(thrown.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().startsWith(IdGeneratorTest.class.getName())
                                && frame.getMethodName().contains(method)),
                () -> Arrays.toString(thrown.getStackTrace()));
    }

    @Test
    void shouldThrowItsReasonWithTheCallersOwnFramesWhenTenureIsFencedAndNoOtherServes() {
        FencedException tripped = fence.trip(FenceReason.LEASE_GONE, "deleted");
        IdGenerator<EightByteId> generator = onSlot(7, fence, PATIENCE);

        FencedException first = assertThrows(FencedException.class, generator::next);
        FencedException second = assertThrows(FencedException.class, () -> generator.next(2, sink));

        assertNotSame(first, second);
        for (FencedException thrown : List.of(first, second)) {
            assertRepeats(tripped, thrown);
            assertShowsCaller("shouldThrowItsReasonWithTheCallersOwnFrames", thrown);
        }
    }

    @Test
    void shouldGiveAListWhenAskedForSome() {
        List<EightByteId> list = onSlot(7, fence, PATIENCE).next(CAPACITY + 1);

        assertEquals(CAPACITY + 1, list.size());
        assertEquals(EightByteId.of(NOW_MS, 0, 7, 0), list.get(0));
        assertEquals(EightByteId.of(NOW_MS + 1, 0, 7, 0), list.get(CAPACITY), "in the order of drawing");
        assertThrows(UnsupportedOperationException.class, () -> list.add(list.get(0)));
    }

    @Test
    void shouldGiveNoListWhenOnlyAPartCanBeDrawn() {
        IdGenerator<EightByteId> generator = onSlot(7, fence, Duration.ofNanos(999_999));

        assertThrows(OverCapacityException.class, () -> generator.next(CAPACITY + 1));
        clock.advance(Duration.ofMillis(1));

        assertEquals(List.of(EightByteId.of(NOW_MS + 1, 0, 7, 0)), generator.next(1), "the part is used up, not kept");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, IdGenerator.LARGEST_LIST + 1})
    void shouldDrawNothingWhenAListCannotBeSoLong(int count) {
        IdGenerator<EightByteId> generator = onSlot(7, fence, PATIENCE);

        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> generator.next(count));

        assertEquals("count must be 1..10000000: " + count, thrown.getMessage());
        assertThrows(IllegalArgumentException.class, () -> generator.next(0, sink));
        assertEquals(EightByteId.of(NOW_MS, 0, 7, 0), generator.next(), "nothing was used up");
    }

    @Test
    void shouldMakeNoRoomForAListThatIsRefused() {
        fence.trip(FenceReason.LEASE_GONE, "deleted");
        IdGenerator<EightByteId> generator = onSlot(7, fence, PATIENCE);

        long bytes =
                allocatedBy(() -> assertThrows(FencedException.class, () -> generator.next(IdGenerator.LARGEST_LIST)));

        assertTrue(bytes < 1_000_000, () -> bytes + " bytes");
    }

    @Test
    void shouldMakeNoGarbageWhenASinkTakesTheIds() {
        int count = 100_000;
        IdGenerator<Sno> snos =
                new LocalIds(PATIENCE, new ScriptedClock(1_700_000_000_000_000L)).sno(SnoPartition.of(7), SnoRange.ALL);
        long[] sum = new long[1];
        IdSink adds = (high, low) -> sum[0] += high ^ low;
        snos.next(count, adds); // loads classes

        long bytes = allocatedBy(() -> snos.next(count, adds));

        assertTrue(bytes < count / 10, () -> bytes + " bytes for " + count + " IDs"); // no object is so small
    }

    /** An object of an ID has a header, a reference and two numbers. */
    @Test
    void shouldMakeNothingButTheValueWhenOneIsDrawn() {
        int count = 60_000;
        IdGenerator<Sno> snos =
                new LocalIds(PATIENCE, new ScriptedClock(1_700_000_000_000_000L)).sno(SnoPartition.of(7), SnoRange.ALL);
        snos.next(1_000, (high, low) -> {}); // loads classes

        long bytes = allocatedBy(() -> {
            for (int i = 0; i < count; i++) {
                snos.next();
            }
        });

        assertTrue(bytes < 34L * count, () -> bytes + " bytes for " + count + " IDs");
    }

    private static long allocatedBy(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void shouldNotDrawAgainWhenTheSinkThrowsAndTheTenureChangedMeanwhile() {
        FencedException own = Fence.unbounded(clock, 0, 1).trip(FenceReason.UNREACHABLE, "the sink's own");
        Generator first = new EightByteGenerator(7, 0, false, fence);
        Generator next = new EightByteGenerator(8, 0, false, fence);
        TenureSource<Generator> changing = () -> ids.isEmpty() ? first : next;

        FencedException thrown =
                assertThrows(FencedException.class, () -> of(changing, PATIENCE).next(3, throwing(own)));

        assertSame(own, thrown);
        assertEquals(1, ids.size(), "handed to the sink");
    }

    /** Takes an ID, and throws. */
    private IdSink throwing(RuntimeException what) {
        return (high, low) -> {
            sink.accept(high, low);
            throw what;
        };
    }

    @Test
    void shouldDrawForAStreamOnlyWhatIsAskedFor() {
        IdGenerator<EightByteId> generator = onSlot(7, fence, PATIENCE);
        Stream<EightByteId> stream = generator.stream();

        assertEquals(EightByteId.of(NOW_MS, 0, 7, 0), generator.next(), "nothing was drawn before");
        List<EightByteId> some = stream.limit(3).toList();

        assertEquals(List.of(1, 2, 3), some.stream().map(EightByteId::sequence).toList());
        assertEquals(EightByteId.of(NOW_MS, 4, 7, 0), generator.next(), "and nothing beyond");
    }

    @Test
    void shouldStopWaitingWhenInterrupted() {
        IdGenerator<EightByteId> generator = onSlot(7, fence, PATIENCE);
        Thread.currentThread().interrupt();

        CancellationException thrown =
                assertThrows(CancellationException.class, () -> generator.next(CAPACITY + 1, sink));

        assertEquals("interrupted while waiting for the next tick", thrown.getMessage());
        assertTrue(Thread.currentThread().isInterrupted(), "the flag stays");
        assertEquals(CAPACITY, ids.size());
    }

    @Test
    void shouldNotMindInterruptWhenNothingIsWaitedFor() {
        Thread.currentThread().interrupt();

        onSlot(7, fence, PATIENCE).next(CAPACITY, sink);

        assertEquals(CAPACITY, ids.size());
    }

    @Test
    void shouldPassVariantThatWasFixedLast() {
        IdGenerator<Sno> none =
                new LocalIds(PATIENCE, new ScriptedClock(1_700_000_000_000_000L)).sno(SnoPartition.of(7), SnoRange.ALL);
        IdGenerator<Sno> nine = none.with(SnoGenerator.metabyte(9));
        List<Sno> drawn = new ArrayList<>(nine.next(1));
        nine.next(1, (high, low) -> drawn.add(new Sno(high, low)));
        nine.stream().limit(1).forEach(drawn::add);
        drawn.add(nine.as(Sno::new).next());
        drawn.add(nine.onOverflow(overflow -> {}).next());
        drawn.add(nine.with(SnoGenerator.metabyte(3)).next());
        drawn.add(nine.next());
        drawn.add(none.next());

        assertEquals(
                List.of(9, 9, 9, 9, 9, 3, 9, 0),
                drawn.stream().map(Sno::metabyte).toList());
    }

    /** Whoever stayed in line would be given numbers for ever. */
    @Test
    void shouldLeaveTheLineWhenTheWaitFails() {
        Fence ends = Fence.unbounded(clock, 0, NOW_MS);
        Generator first = new EightByteGenerator(7, 0, false, ends);
        Generator next = new EightByteGenerator(7, 0, false, fence);
        Generator[] serving = {first};
        IdGenerator<EightByteId> calls = of(() -> serving[0], PATIENCE);
        calls.next(CAPACITY, sink);

        Thread.currentThread().interrupt();
        assertThrows(CancellationException.class, () -> calls.next(2));
        assertThrows(CancellationException.class, calls::next);
        assertTrue(Thread.interrupted());
        assertThrows(FencedException.class, () -> calls.next(2), "the next tick is beyond the ceiling");
        assertThrows(FencedException.class, calls::next);

        serving[0] = next;
        assertEquals(CAPACITY - CAPACITY / Line.SHARES, calls.nextUpTo(CAPACITY, sink), "an eighth is kept");
        assertEquals(EightByteId.of(NOW_MS + 1, CAPACITY - 8, 7, 0), calls.next(), "nobody else was given any");
    }

    // --- What becomes of those who wait.

    /** Time passes between the readings of a clock, so that nothing is left of a patience of nothing. */
    @Test
    void shouldServeABatchWithoutPatienceWhenTheTickHasNumbers() {
        Clock passing = new Clock() {
            @Override
            public long micros() {
                return clock.micros();
            }

            @Override
            public long nanos() {
                clock.park(1);
                clock.setMicros(NOW_MS * 1_000);
                return clock.nanos();
            }

            @Override
            public void park(long nanos) {
                throw new AssertionError("waits");
            }
        };
        Generator generator = new EightByteGenerator(7, 0, false, fence);
        IdGenerator<EightByteId> calls = of(() -> generator, Duration.ZERO, passing);

        calls.next(2, sink);

        assertEquals(2, ids.size());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFailSoonWhenItsTenureEndsWhileItWaits(boolean sourceKnows) {
        Generator cooling = cooling(1_500);
        FencedException closed = new FencedException(FenceReason.RELEASED, "closed", Duration.ofSeconds(1));
        TenureSource<Generator> source = () -> {
            if (clock.nanos() >= 250_000_000) {
                if (sourceKnows) {
                    throw closed;
                }
                cooling.close();
            }
            return cooling;
        };

        FencedException thrown =
                assertThrows(FencedException.class, () -> of(source, PATIENCE).next());

        assertEquals(FenceReason.RELEASED, thrown.reason());
        assertEquals(300_000_000, clock.nanos());
    }

    @Test
    void shouldGoOnInTheNextTenureSoonWhenItTakesOverWhileItWaits() {
        Generator cooling = cooling(1_500);
        Generator next = new EightByteGenerator(9, 0, false, fence);

        TenureSource<Generator> source = () -> clock.nanos() < 250_000_000 ? cooling : next;

        assertEquals(9, of(source, PATIENCE).next().generator());
        assertEquals(300_000_000, clock.nanos());
    }

    /** The tenure ends between asking the source for what serves and asking that whether it does. */
    @Test
    void shouldGoOnInTheNextTenureWhenItTakesOverAmidTheLookWhetherTheOldOneServes() {
        Generator cooling = cooling(1_500);
        Generator next = new EightByteGenerator(9, 0, false, fence);
        boolean[] ended = {false};
        TenureSource<Generator> source = () -> {
            Generator serving = ended[0] ? next : cooling;
            if (clock.nanos() >= 250_000_000) {
                cooling.close();
                ended[0] = true;
            }
            return serving;
        };

        assertEquals(9, of(source, PATIENCE).next().generator());
        assertEquals(300_000_000, clock.nanos());
    }

    @Test
    void shouldReturnAfterEachTickWhenAskedForUpToSoMany() {
        IdGenerator<EightByteId> generator = onSlot(7, fence, PATIENCE);
        generator.next(60, sink);

        assertEquals(4, generator.nextUpTo(100, sink));
        assertEquals(CAPACITY, generator.nextUpTo(96, sink));
        assertEquals(32, generator.nextUpTo(32, sink));

        assertEquals(160, new HashSet<>(ids).size());
        assertEquals(2_000_000, clock.nanos());
    }

    @Test
    void shouldReturnTheWholeTransactionWhenAskedForUpToSoMany() {
        Generator muids = new MuidGenerator(1L << 48, Fence.unbounded(clock, 0, MuidGenerator.UNIT.maxTick()));
        int[] received = new int[1];

        int objects = new IdGenerator<>(() -> muids, Muid::new, MuidGenerator.UNIT, PATIENCE, clock)
                .with(MuidGenerator.TRANSACTION)
                .nextUpTo(5, (high, low) -> received[0]++);

        assertEquals(5, objects);
        assertEquals(6, received[0]);
    }

    private Generator cooling(int millis) {
        return new EightByteGenerator(
                7, 0, false, Fence.unbounded(clock, NOW_MS + millis, EightByteGenerator.UNIT.maxTick()));
    }

    private IdGenerator<EightByteId> onSlot(int slot, Fence tenure, Duration maxWait) {
        Generator generator = new EightByteGenerator(slot, 0, false, tenure);
        return of(() -> generator, maxWait);
    }

    private IdGenerator<EightByteId> of(TenureSource<Generator> source, Duration maxWait) {
        return of(source, maxWait, clock);
    }

    private static IdGenerator<EightByteId> of(TenureSource<Generator> source, Duration maxWait, Clock clock) {
        return new IdGenerator<>(source, EightByteId::new, EightByteGenerator.UNIT, maxWait, clock);
    }
}
