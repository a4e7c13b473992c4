package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.scheme.LocalIds;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What those in line are given by whoever comes first in a new tick. In one thread: others call while one waits. */
final class FairQueueTest {
    private static final long NOW_MS = 1_000_000;
    private static final int CAPACITY = 64;

    /** A clock that stands still, and on which others do something while a call waits. */
    private static final class Waited implements Clock {
        private static final StackWalker STACK = StackWalker.getInstance();

        private final ScriptedClock clock;
        private final List<Runnable> others = new ArrayList<>();
        private final List<Runnable> beforeGivingUp = new ArrayList<>();
        private final List<Runnable> beforeSleeping = new ArrayList<>();
        private final List<Thread> unparked = new ArrayList<>();

        private Waited(long micros) {
            clock = new ScriptedClock(micros);
        }

        @Override
        public long micros() {
            return clock.micros();
        }

        @Override
        public long nanos() {
            if (!beforeGivingUp.isEmpty() && caller().equals("await")) {
                beforeGivingUp.remove(0).run(); // the call was in vain, and nobody holds the lock
            }
            if (!beforeSleeping.isEmpty() && caller().equals("park")) {
                beforeSleeping.remove(0).run();
            }
            return clock.nanos();
        }

        private static String caller() {
            return STACK.walk(frames -> frames.skip(2).findFirst())
                    .orElseThrow()
                    .getMethodName();
        }

        @Override
        public void park(long nanos) {
            if (others.isEmpty()) {
                clock.park(nanos);
            } else {
                others.remove(0).run();
            }
        }

        @Override
        public void unpark(Thread thread) {
            unparked.add(thread);
        }

        private void nextTick(TickUnit unit) {
            clock.advance(Duration.ofNanos(unit.tickMicros() * 1_000));
        }
    }

    private final Waited time = new Waited(NOW_MS * 1_000);
    private final Fence fence = Fence.unbounded(time, 0, EightByteGenerator.UNIT.maxTick());
    private final Generator slot = new EightByteGenerator(7, 0, false, fence);
    private final IdGenerator<EightByteId> ids =
            new IdGenerator<>(() -> slot, EightByteId::new, EightByteGenerator.UNIT, Duration.ofSeconds(2), time);
    private final List<EightByteId> polled = new ArrayList<>();
    private final IdSink sink = (high, low) -> polled.add(new EightByteId(high, low));

    private void nextMillisecond() {
        time.nextTick(EightByteGenerator.UNIT);
    }

    /** How many there were. */
    private int pollAll() {
        int count = 0;
        while (ids.poll(sink)) {
            count++;
        }
        return count;
    }

    /** Whoever comes first in a tick finds what those in line do not want. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldServeThoseWhoWaitBeforeWhoeverComesFirstInATick(boolean polls) {
        ids.next(CAPACITY);
        time.others.add(() -> {
            nextMillisecond();
            for (int i = 0; i < CAPACITY - 40; i++) {
                if (polls) {
                    assertTrue(ids.poll(sink));
                } else {
                    polled.add(ids.next());
                }
            }
            assertFalse(ids.poll(sink), "40 are for who waits");
        });

        List<EightByteId> waited = ids.next(40);

        Set<EightByteId> all = new HashSet<>(waited);
        all.addAll(polled);
        assertEquals(CAPACITY, all.size());
        assertEquals(EightByteId.of(NOW_MS + 1, 0, 7, 0), waited.get(0), "taken before");
        assertEquals(EightByteId.of(NOW_MS + 1, 40, 7, 0), polled.get(0));
    }

    /** Whoever is served at the last moment is not refused: nobody else would get what it was given. */
    @ParameterizedTest
    @ValueSource(ints = {1, 40})
    void shouldNotLoseWhatIsGivenWhenPatienceEnds(int count) {
        ids.next(CAPACITY);
        time.others.add(() -> {
            time.clock.park(1_000_000);
            time.clock.setMicros(NOW_MS * 1_000); // so that the call asks in vain once more
            time.beforeGivingUp.add(() -> {
                nextMillisecond();
                for (int i = 0; i < CAPACITY - count; i++) {
                    assertTrue(ids.poll(sink));
                }
                time.clock.park(Duration.ofSeconds(3).toNanos());
            });
        });

        polled.addAll(ids.next(count));

        assertEquals(CAPACITY, new HashSet<>(polled).size());
    }

    /** Whoever asks for a slot twice has two generator objects, of one queue. */
    @Test
    void shouldHaveOneQueueForAllCallersOfASlot() {
        LocalIds local = new LocalIds(Duration.ofSeconds(2), time);
        IdGenerator<EightByteId> one = local.eightbyte(7, 0);
        one.next(CAPACITY);
        time.others.add(() -> {
            nextMillisecond();
            polled.add(local.eightbyte(7, 0).next());
        });
        assertEquals(0, one.next(40).get(0).sequence());
        assertEquals(40, polled.get(0).sequence());

        time.clock.setMicros(SnoGenerator.UNIT.microsAt(1_000)); // sno's time begins in 2010
        SnoRange range = new SnoRange(0, CAPACITY - 1);
        List<Sno> snos = new ArrayList<>();
        local.sno(SnoPartition.of(7), range).next(CAPACITY);
        time.others.add(() -> {
            time.nextTick(SnoGenerator.UNIT);
            snos.add(local.sno(SnoPartition.of(7), range).next());
        });
        assertEquals(0, local.sno(SnoPartition.of(7), range).next(40).get(0).sequence());
        assertEquals(40, snos.get(0).sequence());
    }

    /** Its numbers are the tenure's own, however late they are issued. */
    @Test
    void shouldGiveWhatACallWasGivenBeforeTheFenceTripped() {
        ids.next(CAPACITY);
        time.others.add(() -> {
            nextMillisecond();
            assertTrue(ids.poll(sink));
            fence.trip(FenceReason.DEADLINE_PASSED, "meanwhile");
        });

        assertEquals(EightByteId.of(NOW_MS + 1, 0, 7, 0), ids.next());
        assertThrows(FencedException.class, ids::next);
    }

    /** Nobody else would get what it was given, and its flag tells the caller that it was interrupted. */
    @Test
    void shouldGiveWhatACallWasGivenWhenItIsInterruptedAtThatMoment() throws Exception {
        ids.next(CAPACITY);
        FutureTask<EightByteId> call = new FutureTask<>(ids::next);
        new InterruptedThread(call, () -> {
                    nextMillisecond();
                    pollAll();
                })
                .start();

        assertEquals(EightByteId.of(NOW_MS + 1, 0, 7, 0), call.get(HangGuard.MINUTES, TimeUnit.MINUTES));
        assertEquals(CAPACITY - 1, new HashSet<>(polled).size());
    }

    /** A thread that is interrupted, of which it learns after others have done something. */
    private static final class InterruptedThread extends Thread {
        private final Runnable others;

        private InterruptedThread(Runnable call, Runnable others) {
            super(call);
            this.others = others;
        }

        @Override
        public boolean isInterrupted() {
            others.run();
            return true;
        }
    }

    @Test
    void shouldGiveWhatACallWasGivenWhenNothingServesAnyMore() {
        List<Runnable> beforeNothingServes = new ArrayList<>();
        IdGenerator<EightByteId> ending = new IdGenerator<>(
                () -> {
                    if (beforeNothingServes.isEmpty()) {
                        return slot;
                    }
                    beforeNothingServes.remove(0).run();
                    throw FencedException.of(FenceReason.RELEASED, "meanwhile", Duration.ZERO);
                },
                EightByteId::new,
                EightByteGenerator.UNIT,
                Duration.ofSeconds(2),
                time);
        ending.next(CAPACITY);
        time.others.add(() -> beforeNothingServes.add(() -> {
            nextMillisecond();
            ending.poll(sink);
        }));

        assertEquals(EightByteId.of(NOW_MS + 1, 0, 7, 0), ending.next());
        assertEquals(EightByteId.of(NOW_MS + 1, 1, 7, 0), polled.get(0));
    }

    /** What it wants is for others. Were it in line, its numbers would be nobody's. */
    @ParameterizedTest
    @ValueSource(ints = {1, 40})
    void shouldGiveNothingToACallThatIsInterrupted(int count) {
        ids.next(CAPACITY);
        time.others.add(Thread.currentThread()::interrupt);

        assertThrows(CancellationException.class, () -> ids.next(count));
        assertTrue(Thread.interrupted());

        nextMillisecond();
        assertEquals(CAPACITY, pollAll());
    }

    /** The line is a millisecond longer than it may wait. */
    @Test
    void shouldGiveNothingToACallThatIsRefused() {
        IdGenerator<EightByteId> impatient =
                new IdGenerator<>(() -> slot, EightByteId::new, EightByteGenerator.UNIT, Duration.ofMillis(1), time);
        impatient.next(CAPACITY);
        time.others.addAll(Collections.nCopies(7, () -> impatient.nextUpTo(20, sink)));
        time.others.add(() -> {
            assertThrows(OverCapacityException.class, () -> impatient.nextUpTo(20, sink));
            nextMillisecond();
        });

        impatient.nextUpTo(20, sink);

        assertEquals(CAPACITY, new HashSet<>(polled).size());
        assertFalse(impatient.poll(sink), "all numbers of the tick have an owner");
    }

    /** Whoever was about to wake in that tick is not woken, because waking takes longer than it would sleep. */
    @Test
    void shouldWakeOnlyThoseWhoWouldOversleepTheirNumbers() {
        Waited seconds = new Waited(Uid60Generator.UNIT.microsAt(10_000));
        Generator worker = new Uid60Generator(3, 0, () -> 0, Fence.unbounded(seconds, 0, 20_000));
        IdGenerator<Uid60> workers =
                new IdGenerator<>(() -> worker, Uid60::new, Uid60Generator.UNIT, Duration.ofSeconds(2), seconds);
        workers.next(1_024);
        seconds.others.add(() -> {
            seconds.clock.advance(Duration.ofMillis(99)); // of the 100 until its next look
            seconds.clock.setMicros(Uid60Generator.UNIT.microsAt(10_001));
            assertTrue(workers.poll((high, low) -> {}));
        });
        workers.next();
        assertEquals(List.of(), seconds.unparked);

        while (workers.poll((high, low) -> {})) {} // all of this second
        seconds.others.add(() -> {
            seconds.clock.advance(Duration.ofMillis(98));
            seconds.clock.setMicros(Uid60Generator.UNIT.microsAt(10_002));
            assertTrue(workers.poll((high, low) -> {}));
        });
        workers.next();
        assertEquals(List.of(Thread.currentThread()), seconds.unparked);
    }

    /** Who comes first serves singles, and finds the tenure ended before it has served batches. */
    @Test
    void shouldWakeThoseWhoWereServedBeforeTheTenureEnded() {
        Waited seconds = new Waited(Uid60Generator.UNIT.microsAt(10_000));
        Generator worker = new Uid60Generator(3, 0, () -> 0, Fence.unbounded(seconds, 0, 20_000));
        Ending ending = new Ending(worker, new AtomicInteger(Integer.MAX_VALUE));
        IdGenerator<Uid60> workers =
                new IdGenerator<>(() -> ending, Uid60::new, Uid60Generator.UNIT, Duration.ofSeconds(2), seconds);
        workers.next(1_024);
        seconds.others.add(() -> workers.next(5)); // waits, too
        seconds.others.add(() -> {
            seconds.clock.setMicros(Uid60Generator.UNIT.microsAt(10_001));
            ending.takes.set(1);
            assertFalse(workers.poll((high, low) -> {}));
            assertEquals(List.of(Thread.currentThread()), seconds.unparked);
            ending.takes.set(Integer.MAX_VALUE);
        });

        assertEquals(10_001, Uid60Generator.UNIT.tickAt(micros(workers.next())));
    }

    private static long micros(Uid60 id) {
        return id.time().getEpochSecond() * 1_000_000;
    }

    /** A generator whose tenure ends after so many takes. Nobody draws from it in one step. */
    private static final class Ending extends ForwardingGenerator {
        private final AtomicInteger takes;

        Ending(Generator generator, AtomicInteger takes) {
            super(generator);
            this.takes = takes;
        }

        @Override
        public Taken take(int wanted, boolean keep) {
            if (takes.getAndDecrement() == 0) {
                throw FencedException.of(FenceReason.RELEASED, "amid the line", Duration.ZERO);
            }
            return super.take(wanted, keep);
        }

        @Override
        public <T extends Id> @Nullable T drawOne(Variant variant, IdReader<T> reader) {
            return null;
        }
    }

    /** Whoever gave it the number saw nobody who sleeps, and wakes nobody. */
    @Test
    void shouldNotSleepWhenItsNumberCameJustBefore() {
        ids.next(CAPACITY);
        time.beforeSleeping.add(() -> {
            nextMillisecond();
            assertTrue(ids.poll(sink));
        });
        time.others.add(() -> polled.add(ids.next()));

        assertEquals(EightByteId.of(NOW_MS + 1, 0, 7, 0), ids.next());
        assertEquals(1, time.others.size(), "nobody slept");
    }

    /** Another is given as much as the first one wants, and no less than its part. */
    @Test
    void shouldShareATickEvenlyAmongBatches() {
        ids.next(CAPACITY);
        int[] drawn = new int[2];
        time.others.add(() -> drawn[0] = ids.nextUpTo(100, sink)); // waits, too, and wakes first

        drawn[1] = ids.nextUpTo(10, sink);

        assertEquals(List.of(CAPACITY - 10, 10), List.of(drawn[0], drawn[1]));
    }

    @Test
    void shouldKeepAnEighthForSinglesForAsLongAsSomeHaveWaited() {
        ids.next(CAPACITY);
        ids.next();
        assertEquals(CAPACITY - 8 - 1, ids.nextUpTo(CAPACITY, sink));
        for (int tick = 1; tick < FairQueue.LINGER_TICKS; tick++) {
            nextMillisecond();
            assertEquals(CAPACITY - 8, ids.nextUpTo(CAPACITY, sink), "tick " + tick);
        }
        nextMillisecond();
        assertEquals(CAPACITY, ids.nextUpTo(CAPACITY, sink));
    }

    /** One delivery for all of them. */
    @Test
    void shouldTellOfAllWhoWaitWhenATickOverflows() {
        List<Overflow> heard = new ArrayList<>();
        Queue<Runnable> deliveries = new ArrayDeque<>();
        IdGenerator<EightByteId> told = ids.onOverflow(heard::add, deliveries::add);
        told.next(CAPACITY);
        time.others.addAll(Collections.nCopies(4, () -> polled.add(told.next())));
        time.others.add(() -> deliveries.remove().run());

        polled.add(told.next());

        assertEquals(List.of(new Overflow(Instant.ofEpochMilli(NOW_MS), 5, 1)), heard);
        assertEquals(5, new HashSet<>(polled).size());
        assertEquals(0, deliveries.size());
    }

    /** On the machine's clock, with real threads: no number is given twice, and everybody gets on. */
    @Test
    void shouldServeEverybodyAndNobodyTwiceWhenThreadsMeet() throws Exception {
        SnoRange range = new SnoRange(0, CAPACITY - 1);
        IdGenerator<Sno> snos = new LocalIds(HangGuard.TIME, Clock.system()).sno(SnoPartition.of(7), range);
        Set<Sno> all = ConcurrentHashMap.newKeySet();
        int calls = 30;
        List<Integer> counts = List.of(1, 1, 1, 1, 10, 100);
        ExecutorService threads = Executors.newFixedThreadPool(counts.size());
        List<Future<?>> callers = new ArrayList<>();
        for (int count : counts) {
            callers.add(threads.submit(() -> {
                for (int i = 0; i < calls; i++) {
                    snos.next(count).forEach(id -> assertTrue(all.add(id), () -> id + " came twice"));
                }
            }));
        }
        for (Future<?> caller : callers) {
            caller.get(HangGuard.MINUTES, TimeUnit.MINUTES);
        }
        threads.shutdown();

        assertEquals(calls * counts.stream().mapToInt(count -> count).sum(), all.size());
    }

    /** A look may only shorten a wait: the clock that steps back would else have callers wait beyond their patience. */
    @Test
    void shouldWaitNoLongerWhenTheClockStepsBackMeanwhile() {
        ScriptedClock clock = new ScriptedClock(Uid60Generator.UNIT.microsAt(10_000));
        Clock stepping = new ParkingClock(clock, nanos -> {
            clock.park(nanos);
            clock.setMicros(Uid60Generator.UNIT.microsAt(5_000));
        });
        IdGenerator<Uid60> workers = new LocalIds(Duration.ofSeconds(2), stepping).uid60(3);
        workers.next(1_024, (high, low) -> {});

        assertThrows(FencedException.class, workers::next);
        assertEquals(1_000_000_000, clock.nanos());
    }

    /** The line alone would take a second: if nobody had put the clock back, all would be served in time. */
    @Test
    void shouldSayThatTheClockIsBehindWhenThatMakesTheLineTooLong() {
        Waited seconds = new Waited(Uid60Generator.UNIT.microsAt(10_000));
        Generator worker = new Uid60Generator(3, 0, () -> 0, Fence.unbounded(seconds, 0, 20_000));
        IdGenerator<Uid60> workers =
                new IdGenerator<>(() -> worker, Uid60::new, Uid60Generator.UNIT, Duration.ofSeconds(2), seconds);
        workers.next(1_024);
        seconds.clock.setMicros(seconds.micros() - 500_000); // 1.5 s until the next second begins
        List<FencedException> refused = new ArrayList<>();
        IntStream.range(1, 128).forEach(batch -> seconds.others.add(() -> workers.next(8)));
        seconds.others.add(() -> {
            refused.add(assertThrows(FencedException.class, () -> workers.next(8)));
            seconds.clock.advance(Duration.ofMillis(1_500));
        });

        workers.next(8);

        assertEquals(FenceReason.CLOCK_BEHIND, refused.get(0).reason());
        assertEquals(Duration.ofMillis(2_500), refused.get(0).retryAfter());
    }

    /** Before the clock was put back by a little, whoever came found the line too long as well. */
    @Test
    void shouldSayThatMoreIsAskedForThanTheTimeHoldsWhenTheLineAloneIsTooLong() {
        IdGenerator<EightByteId> impatient =
                new IdGenerator<>(() -> slot, EightByteId::new, EightByteGenerator.UNIT, Duration.ofMillis(4), time);
        impatient.next(CAPACITY);
        List<OverCapacityException> refused = new ArrayList<>();
        Runnable isRefused = () -> refused.add(assertThrows(OverCapacityException.class, () -> impatient.next(8)));
        IntStream.range(1, 32).forEach(batch -> time.others.add(() -> impatient.next(8)));
        time.others.add(() -> {
            isRefused.run();
            time.clock.setMicros(time.micros() - 1_500); // 2.5 ms until the next millisecond begins
            isRefused.run();
            time.clock.advance(Duration.ofMillis(2));
        });

        impatient.next(8);

        assertEquals(
                List.of(Duration.ofMillis(5), Duration.ofMillis(4).plusNanos(2_500_000)),
                refused.stream().map(OverCapacityException::retryAfter).toList());
    }

    /** Callers of which each has waited take their parts of what others took for them: disjoint, and whole. */
    @Test
    void shouldGiveEachNumberToOneCallAndAllNumbersToCalls() {
        for (int seed = 0; seed < Proof.size(200, 2_000); seed++) {
            Random random = new Random(seed);
            new Parts(random, 1 + random.nextInt(3)).play();
        }
    }

    /** Callers in line for the uid60s of several slots, whose sequences run across 1,023 to 0. */
    private static final class Parts {
        private static final int SECOND = 1_024;

        private final Waited time = new Waited(Uid60Generator.UNIT.microsAt(1_000));
        private final Random random;
        private final int slots;
        private final Generator generator;
        private final IdGenerator<Uid60> ids;
        private final Set<Uid60> drawn = new HashSet<>();
        private int inFirst;
        private int inSecond;

        private Parts(Random random, int slots) {
            this.random = random;
            this.slots = slots;
            generator = new LoadBalancer(
                    IntStream.range(0, slots).mapToObj(this::worker).toList());
            ids = new IdGenerator<>(() -> generator, Uid60::new, Uid60Generator.UNIT, Duration.ofSeconds(60), time);
        }

        private Generator worker(int slot) {
            Fence fence = Fence.fromNow(time, Uid60Generator.UNIT);
            return new Uid60Generator(slot, random.nextInt(SECOND), () -> 0, fence);
        }

        /** Callers wait one within the other, so that the last wakes first. */
        private void call(int callers) {
            int count = random.nextBoolean() ? 1 : 1 + random.nextInt(SECOND);
            if (callers > 1) {
                time.others.add(() -> call(callers - 1));
            }
            ids.nextUpTo(count, this::accept);
        }

        private void accept(long high, long low) {
            Uid60 id = new Uid60(high, low);
            assertTrue(drawn.add(id), () -> id + " came twice");
            long tick = Uid60Generator.UNIT.tickAt(micros(id));
            inFirst += tick == 1_000 ? 1 : 0;
            inSecond += tick == 1_001 ? 1 : 0;
        }

        private void play() {
            ids.next(slots * SECOND, this::accept);
            assertEquals(slots * SECOND, inFirst);
            call(1 + random.nextInt(12));
            while (ids.poll(this::accept)) {} // whatever nobody in line was given
            long second = 1_001;
            if (Uid60Generator.UNIT.tickAt(time.micros()) == second) {
                assertEquals(slots * SECOND, inSecond, "all numbers of the second have found an owner");
            }
        }
    }
}
