package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.idallocator.core.testing.Proof;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Singles and batches that together want more than the time holds, in simulated time. */
@ProofOnly("takes seconds of a processor")
@Execution(ExecutionMode.CONCURRENT)
final class FairnessTest {
    private static final long SECOND = 1_000_000_000;
    private static final int BATCHES = 8;
    private static final int FROM_LIBRARY = 100_000;
    private static final int FROM_SERVICE = 1_024;

    /** A scheme at its cap: how many singles come in a second, and for how long the test runs. */
    private enum Cap {
        UID60(1_024, 50, 120 * SECOND),
        EIGHTBYTE(64, 3_000, SECOND / 2),
        SNO(16_384, 4_000, SECOND / 2);

        private final int capacity;
        private final int singlesASecond;
        private final long nanos;

        Cap(int capacity, int singlesASecond, long nanos) {
            this.capacity = capacity;
            this.singlesASecond = singlesASecond;
            this.nanos = nanos;
        }

        private TickUnit unit() {
            return switch (this) {
                case UID60 -> Uid60Generator.UNIT;
                case EIGHTBYTE -> EightByteGenerator.UNIT;
                case SNO -> SnoGenerator.UNIT;
            };
        }

        private Generator open(int slot, Clock clock) {
            Fence fence = Fence.fromNow(clock, unit());
            return switch (this) {
                case UID60 -> new Uid60Generator(slot, 0, () -> 0, fence);
                case EIGHTBYTE -> new EightByteGenerator(slot, 0, false, fence);
                case SNO -> new SnoGenerator(SnoPartition.of(slot), new SnoRange(0, capacity - 1), fence);
            };
        }

        /** Shorter than the test, so that whoever gets nothing is refused in it, which fails the test. */
        private Duration patience() {
            return Duration.ofNanos(Math.min(2 * SECOND, nanos / 10));
        }

        private long tickNanos() {
            return unit().tickMicros() * 1_000;
        }
    }

    /** What callers got. Only one caller runs at a time. */
    private static final class Scene implements AutoCloseable {
        private final Cap cap;
        private final Random random;
        private final SimulatedTime time;
        private final List<Generator> slots = new ArrayList<>();
        private int opened;
        private Generator serving;
        private Generator counted;
        private int asked;
        private final IdGenerator<Sno> ids;
        private final List<Long> waitsNanos = new ArrayList<>();
        private final List<Long> stillWaitSinceNanos = new ArrayList<>();
        private final Set<Sno> drawn = new HashSet<>();
        private long inBatches;

        private Scene(Cap cap, long seed) {
            this.cap = cap;
            random = new Random(seed);
            time = new SimulatedTime(cap.unit().microsAt(1_000), seed);
            serving = cap.open(7, time);
            counted = counted(serving);
            ids = new IdGenerator<>(this::current, Sno::new, cap.unit(), cap.patience(), time);
        }

        private Generator current() {
            return counted;
        }

        /** Counts how often the generator is asked. */
        private Generator counted(Generator inner) {
            return (Generator) Proxy.newProxyInstance(
                    Generator.class.getClassLoader(), new Class<?>[] {Generator.class}, (proxy, method, arguments) -> {
                        asked += method.getName().equals("take") ? 1 : 0;
                        try {
                            return method.invoke(inner, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        /** Takes past the queue. */
        private int takePast(int count) {
            return Draw.of(serving, count, Variant.NONE, (high, low) -> {}).issued();
        }

        /** From now on so many slots serve as one: the oldest go, and new ones come. */
        private Scene over(int count) {
            while (slots.size() > count) {
                slots.remove(0).close();
            }
            while (slots.size() < count) {
                slots.add(cap.open(opened++, time));
            }
            serving = new LoadBalancer(slots);
            counted = counted(serving);
            return this;
        }

        /** Everybody may have a generator object of their own, and all of them have one queue. */
        private IdGenerator<Sno> generator() {
            return ids.with(Variant.NONE);
        }

        private void batches(int callers, int count) {
            for (int i = 0; i < callers; i++) {
                time.at(random.nextInt(1_000_000), () -> {
                    IdGenerator<Sno> mine = generator();
                    while (true) {
                        mine.next(count, (high, low) -> inBatches++);
                    }
                });
            }
        }

        private void crowd() {
            batches(BATCHES / 2, FROM_LIBRARY);
            batches(BATCHES / 2, FROM_SERVICE);
        }

        /** A caller that asks for one ID after the other, as a loop or a stream does. */
        private void loop() {
            time.at(random.nextInt(1_000_000), () -> {
                while (true) {
                    assertTrue(drawn.add(ids.next()));
                }
            });
        }

        /** A caller that polls every millisecond until it finds nothing. */
        private void pollingLoop() {
            time.at(random.nextInt(1_000_000), () -> {
                while (true) {
                    if (!ids.poll((high, low) -> assertTrue(drawn.add(new Sno(high, low))))) {
                        time.park(SECOND / 1_000);
                    }
                }
            });
        }

        /** Singles that come at random moments. */
        private void singles() {
            singles(cap.singlesASecond, cap.nanos);
        }

        private void singles(int aSecond, long untilNanos) {
            double at = 0;
            while (at < untilNanos) {
                single((long) at);
                at += -Math.log(1 - random.nextDouble()) * SECOND / aSecond;
            }
        }

        private void single(long atNanos) {
            time.at(atNanos, () -> {
                Long from = time.nanos();
                stillWaitSinceNanos.add(from);
                assertTrue(drawn.add(ids.next()));
                stillWaitSinceNanos.remove(from);
                waitsNanos.add(time.nanos() - from);
            });
        }

        /** Who still waits counts with the time until now. */
        private double p99Ticks() {
            List<Long> all = new ArrayList<>(waitsNanos);
            stillWaitSinceNanos.forEach(since -> all.add(time.nanos() - since));
            Collections.sort(all);
            return all.get(all.size() * 99 / 100) / (double) cap.tickNanos();
        }

        private void assertNextTick() {
            double late = cap == Cap.UID60 ? 0 : SimulatedTime.LATE_NANOS / (double) cap.tickNanos();
            assertTrue(p99Ticks() <= 1.1 + late, () -> p99Ticks() + " ticks");
        }

        private void assertShare(double share) {
            assertTrue(batchShare() >= share, () -> "batches got " + batchShare());
        }

        private double batchShare() {
            long capacity = (long) cap.capacity * Math.max(1, slots.size());
            return inBatches / (double) (capacity * (time.nanos() / cap.tickNanos()));
        }

        @Override
        public void close() {
            time.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Cap.class)
    void shouldServeSinglesInTheNextTickWhileEightBatchesWantEverything(Cap cap) {
        for (int seed = 0; seed < Proof.size(1, 3); seed++) {
            try (Scene scene = new Scene(cap, seed)) {
                scene.crowd();
                scene.singles();
                scene.time.run(cap.nanos);

                scene.assertNextTick();
                scene.assertShare(0.85);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Cap.class)
    void shouldGiveBatchesEverythingWhenThereAreNoSingles(Cap cap) {
        for (int callers : new int[] {1, BATCHES}) {
            try (Scene scene = new Scene(cap, callers)) {
                scene.batches(callers, FROM_LIBRARY);
                scene.time.run(cap.nanos);

                scene.assertShare(0.99);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Cap.class)
    void shouldBeAsFairWhenThereAreSeveralSlots(Cap cap) {
        try (Scene scene = new Scene(cap, 1).over(3)) {
            scene.crowd();
            scene.singles(3 * cap.singlesASecond, cap.nanos / 3);
            scene.time.run(cap.nanos / 3);

            scene.assertNextTick();
            scene.assertShare(0.85);
        }
    }

    @Test
    void shouldGiveBatchesEverythingOfSeveralSlotsWhenThereAreNoSingles() {
        try (Scene scene = new Scene(Cap.UID60, 1).over(8)) {
            scene.batches(BATCHES, FROM_LIBRARY);
            scene.time.run(60 * SECOND);

            scene.assertShare(0.99);
        }
    }

    /** Whoever is in line stays there: neither do batches take its number, nor does anybody queue anew. */
    @Test
    void shouldKeepTheLineWhenSlotsComeAndGo() {
        for (int seed = 0; seed < Proof.size(1, 3); seed++) {
            try (Scene scene = new Scene(Cap.UID60, seed).over(2)) {
                scene.crowd();
                scene.singles(300, 60 * SECOND);
                for (long at = SECOND; at < 60 * SECOND; at += 7 * SECOND / 5) {
                    int slots = 1 + scene.random.nextInt(4);
                    scene.time.at(at, () -> scene.over(slots));
                }
                scene.time.run(60 * SECOND); // a single that is refused fails the run

                scene.assertNextTick();
            }
        }
    }

    /**
     * Where the scheme toggles, everybody goes on at once. Else all of them wait until the clock has caught up. In
     * either case those who came before are served before, and everything is as fair again as before.
     */
    @ParameterizedTest
    @EnumSource(Cap.class)
    void shouldStayFairWhenTheClockStepsBack(Cap cap) {
        for (int seed = 0; seed < Proof.size(1, 3); seed++) {
            try (Scene scene = new Scene(cap, seed)) {
                long backNanos = cap == Cap.UID60 ? SECOND * 6 / 10 : 20 * cap.tickNanos();
                long atNanos = cap.nanos / 2;
                long overNanos = atNanos + backNanos + 3 * cap.tickNanos();
                scene.crowd();
                scene.singles();
                scene.time.at(atNanos, () -> scene.time.step(-backNanos / 1_000));
                scene.time.run(overNanos); // whoever is refused fails the run
                long longest = Collections.max(scene.waitsNanos);
                long waits = cap == Cap.SNO ? 0 : backNanos;
                assertTrue(longest <= waits + 2.2 * cap.tickNanos(), () -> longest + " ns");
                scene.waitsNanos.clear();
                long before = scene.inBatches;
                scene.time.run(cap.nanos);

                scene.assertNextTick();
                double share = (scene.inBatches - before)
                        / (double) (cap.capacity * ((cap.nanos - overNanos) / cap.tickNanos()));
                assertTrue(share >= 0.85, () -> "batches got " + share);
            }
        }
    }

    /** What is left for singles is for a while: after the last of them, batches have everything again. */
    @Test
    void shouldGiveBatchesEverythingAgainWhenSinglesCameAndWent() {
        try (Scene scene = new Scene(Cap.UID60, 1)) {
            scene.batches(BATCHES, FROM_LIBRARY);
            scene.time.at(2 * SECOND + SECOND / 2, () -> scene.ids.next());
            scene.time.run((5 + FairQueue.LINGER_TICKS) * SECOND);
            long before = scene.inBatches;
            scene.time.run((15 + FairQueue.LINGER_TICKS) * SECOND);

            assertEquals(10 * 1_024, scene.inBatches - before);
        }
    }

    /** No single may push all batches out, however many come. */
    @Test
    void shouldServeBatchesTooWhenSinglesAloneWantEverything() {
        try (Scene scene = new Scene(Cap.UID60, 1)) {
            scene.batches(BATCHES, FROM_SERVICE);
            for (int i = 0; i < 600 * 30; i++) {
                scene.single(i * SECOND / 600); // 59 % of the cap, while batches want all of it
            }
            scene.time.run(30 * SECOND);

            scene.assertNextTick();
            scene.assertShare(0.35);
        }
    }

    /** The cap is a second's; whoever waits for a second asks twice, and not whenever somebody else is served. */
    @Test
    void shouldWakeOnlyThoseWhomATickCanServe() {
        int singles = 1_000;
        try (Scene scene = new Scene(Cap.EIGHTBYTE, 1)) {
            assertEquals(64, scene.takePast(64));
            for (int i = 0; i < singles; i++) {
                scene.single(i);
            }
            scene.time.run(SECOND);

            assertEquals(singles, scene.drawn.size());
            assertTrue(scene.asked <= 2 * singles, () -> scene.asked + " times asked");
        }
    }

    @Test
    void shouldServeSinglesInTheOrderInWhichTheyCame() {
        try (Scene scene = new Scene(Cap.EIGHTBYTE, 1)) {
            assertEquals(64, scene.takePast(64));
            List<Long> served = new ArrayList<>(Collections.nCopies(500, 0L));
            for (int i = 0; i < served.size(); i++) {
                int place = i;
                scene.time.at(i, () -> {
                    scene.ids.next();
                    served.set(place, Cap.EIGHTBYTE.unit().tickAt(scene.time.micros()));
                });
            }
            scene.time.run(SECOND);

            assertEquals(served.stream().sorted().toList(), served);
        }
    }

    /** Who asks for one ID after the other never waits in a used-up tick before, and could take all of the next. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldServeOthersWhenACallerAsksForOneAfterTheOther(boolean polls) {
        for (int seed = 0; seed < Proof.size(1, 3); seed++) {
            try (Scene scene = new Scene(Cap.UID60, seed)) {
                if (polls) {
                    scene.pollingLoop();
                } else {
                    scene.loop();
                }
                scene.batches(1, FROM_SERVICE);
                scene.singles();
                scene.time.run(60 * SECOND); // whoever is refused fails the run

                scene.assertNextTick();
                scene.assertShare(0.12);
            }
        }
    }

    /** A stranger takes one number more than those in line leave over. */
    @Test
    void shouldServeASingleInTheNextTickWhenOthersWereFaster() {
        int places = 56;
        int ticks = 3;
        try (Scene scene = new Scene(Cap.EIGHTBYTE, 1)) {
            assertEquals(64, scene.takePast(64));
            for (int i = 0; i < ticks * places; i++) {
                scene.single(i);
            }
            scene.time.at(Cap.EIGHTBYTE.tickNanos(), () -> {
                assertEquals(64 - places + 1, scene.takePast(64 - places + 1));
            });
            scene.time.run(10 * Cap.EIGHTBYTE.tickNanos());

            assertEquals(ticks * places, scene.waitsNanos.size());
            long longest = Collections.max(scene.waitsNanos);
            assertTrue(longest <= ticks * Cap.EIGHTBYTE.tickNanos() + SimulatedTime.LATE_NANOS, () -> longest + " ns");
        }
    }

    /** Between two parts a program looks whether the IDs are still wanted. */
    @Test
    void shouldReturnInEachTickWhenManyCallersAskForUpToSoMany() {
        int callers = 100;
        try (Scene scene = new Scene(Cap.UID60, 1)) {
            List<Long> callsNanos = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                scene.time.at(i, () -> {
                    while (true) {
                        long from = scene.time.nanos();
                        assertTrue(scene.ids.nextUpTo(FROM_SERVICE, (high, low) -> scene.inBatches++) > 0);
                        callsNanos.add(scene.time.nanos() - from);
                    }
                });
            }
            scene.time.run(20 * SECOND);

            assertTrue(callsNanos.size() >= 19 * callers, () -> callsNanos.size() + " calls");
            assertTrue(Collections.max(callsNanos) <= 1.1 * SECOND, () -> Collections.max(callsNanos) + " ns");
        }
    }

    /** A hundred batches share each tick, and none of them waits without progress for longer than the queue is long. */
    @Test
    void shouldLetEveryBatchGoOnWhenThereAreMany() {
        int callers = 100;
        try (Scene scene = new Scene(Cap.UID60, 1)) {
            scene.batches(callers, FROM_SERVICE);
            scene.time.run(30 * SECOND); // a batch that is refused fails the run

            assertTrue(scene.inBatches >= 29 * 1_024, () -> scene.inBatches + " IDs");
            assertTrue(scene.asked <= 30 * 4 * callers, () -> scene.asked + " times asked");
        }
    }

    /** The next second has enough for all: nobody is refused because many stand in line. */
    @Test
    void shouldServeManySmallBatchesInTheNextTick() {
        AtomicInteger served = new AtomicInteger();
        try (Scene scene = new Scene(Cap.UID60, 1)) {
            assertEquals(1_024, scene.takePast(1_024));
            for (int i = 0; i < 400; i++) {
                scene.time.at(i, () -> served.addAndGet(scene.ids.next(2).size()));
            }
            scene.time.run(2 * SECOND);
        }
        assertEquals(800, served.get());
    }

    /**
     * It sleeps until its next look, and longer, while the clock that was put right says that its numbers are there.
     */
    @Test
    void shouldWakeThoseWhoseNumbersAreThereBeforeTheyWereDue() {
        long rightNanos = SECOND / 4;
        try (Scene scene = new Scene(Cap.UID60, 1)) {
            assertEquals(1_024, scene.takePast(1_024));
            scene.single(0);
            scene.time.at(rightNanos, () -> {
                scene.time.step(1_000_000);
                scene.ids.next();
            });
            scene.time.run(SECOND);

            assertEquals(1, scene.waitsNanos.size());
            long wait = scene.waitsNanos.get(0);
            assertTrue(wait <= rightNanos + SimulatedTime.LATE_NANOS, () -> wait + " ns");
        }
    }

    /** A permit may be left over from what the thread did before. Nobody gets ahead of others by that. */
    @Test
    void shouldServeInOrderWhenAParkReturnsEarly() {
        try (SimulatedTime time = new SimulatedTime(EightByteGenerator.UNIT.microsAt(1_000), 1)) {
            boolean[] permit = new boolean[1];
            Clock clock = new ParkingClock(time, nanos -> {
                if (permit[0]) {
                    permit[0] = false;
                } else {
                    time.park(nanos);
                }
            });
            Generator slot = Cap.EIGHTBYTE.open(7, clock);
            IdGenerator<Sno> ids =
                    new IdGenerator<>(() -> slot, Sno::new, EightByteGenerator.UNIT, Duration.ofSeconds(2), clock);
            assertEquals(64, slot.take(64, false).count());
            List<Integer> served = new ArrayList<>();
            for (int i = 0; i < 600; i++) {
                int caller = i;
                time.at(i, () -> {
                    permit[0] = caller == 599;
                    ids.next();
                    served.add(caller);
                });
            }

            time.run(SECOND);

            assertEquals(600, served.size());
            assertTrue(served.indexOf(599) >= 500, () -> "the last was served as number " + served.indexOf(599));
        }
    }
}
