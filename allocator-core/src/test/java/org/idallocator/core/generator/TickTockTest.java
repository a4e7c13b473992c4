package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The specification's section on clock drift and the tick-tock toggle, sentence by sentence. */
final class TickTockTest {
    private static final SnoRange RANGE = new SnoRange(8, 15);

    private final ScriptedClock clock = new ScriptedClock(0);
    private final SnoGenerator generator = SnoGenerator.restore(SnoSnapshot.fresh(SnoPartition.of(7), RANGE), clock);

    @BeforeEach
    void start() {
        at(1_000);
    }

    /** "Keeps track of the highest wall clock time ... each time it generates a new timestamp." */
    @Test
    void shouldKnowHighestTimeWhenIdsAreDrawn() {
        draw(1);
        assertEquals(1_000, generator.snapshot().wallHi());
        at(1_005);
        assertEquals(1_000, generator.snapshot().wallHi(), "nothing drawn there yet");
        draw(1);
        assertEquals(1_005, generator.snapshot().wallHi());
    }

    /** "If we get a time that is lower ... we toggle a bit, stored ... in each sno generated until the next regression." */
    @Test
    void shouldKeepBitWhenTimeGoesOnAfterARegression() {
        assertEquals(0, draw(1).get(0).tick());
        at(990);
        assertEquals(1, draw(1).get(0).tick());
        for (int units : new int[] {990, 991, 999, 1_000, 1_001, 5_000}) {
            at(units);
            assertEquals(1, draw(1).get(0).tick(), () -> "at " + units);
        }
    }

    /** "Rinse, repeat - tick, tock." */
    @Test
    void shouldAlternateWhenRegressionsAreEachLaterThanTheLast() {
        List<Integer> ticks = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            at(1_000 + 100 * i);
            draw(1);
            at(1_000 + 100 * i - 10);
            ticks.add(draw(1).get(0).tick());
        }

        assertEquals(List.of(1, 0, 1, 0, 1, 0), ticks);
        assertEquals(6, generator.snapshot().drifts());
    }

    /** "IDs created with a user-defined time are exempt from this mechanism." */
    @Test
    void shouldNotToggleWhenTimesAreTheCallers() {
        SnoPorter porter = new SnoPorter(SnoPartition.of(8), RANGE);

        porter.next(SnoGenerator.UNIT.instantAt(2_000), 0);
        assertEquals(0, porter.next(SnoGenerator.UNIT.instantAt(1_000), 0).tick());

        draw(1);
        assertEquals(1_000, generator.snapshot().wallHi());
        assertEquals(0, generator.snapshot().drifts());
    }

    /** "We simply jump between two pools with the same capacity." */
    @Test
    void shouldHaveWholeTickOnEitherSideWhenClockComesTwice() {
        List<Sno> tick = draw(100);
        at(999);
        draw(1);
        at(1_000);
        List<Sno> tock = draw(100);

        assertEquals(generator.range().size(), tick.size());
        assertEquals(generator.range().size(), tock.size());
        tick.addAll(tock);
        assertEquals(2 * generator.range().size(), new HashSet<>(tick).size());
        assertTrue(tick.stream().allMatch(id -> id.timestampUnits() == 1_000));
    }

    /** "Keeps generating without waiting, using the time as reported by the system." */
    @Test
    void shouldNotWaitWhenClockStepsBackOnce() {
        draw(1);
        at(400);

        assertEquals(new Draw(1, 0, false), Draw.of(generator, 1, Variant.NONE, (high, low) -> {}));
        assertEquals(400, draw(1).get(0).timestampUnits());
    }

    /** "If another regression happens, into that timeframe ..." */
    @Test
    void shouldWaitUntilOutOfItWhenSteppingBackIntoTheSamePast() {
        draw(1);
        at(990);
        draw(1);
        at(1_200);
        draw(1);

        at(1_000);
        assertEquals(units(1), wait(generator), "1001 is the first that this side has not seen");
        at(1_001);
        assertEquals(0, draw(1).get(0).tick());
    }

    /** "... or even further back." */
    @Test
    void shouldWaitUntilBackWhenSteppingBackFurther() {
        draw(1);
        at(990);
        draw(1);

        at(500);
        assertEquals(units(490), wait(generator), "990 is where this side stands, and goes on");
        at(990);
        assertEquals(Sno.of(990, 1, 0, 7, 9), draw(1).get(0));
    }

    /** "Only then do we tell all contenders to wait." */
    @Test
    void shouldMakeAllWaitWhenThePastIsUnsafe() throws Exception {
        draw(1);
        at(990);
        draw(1);
        at(980);
        ExecutorService contenders = Executors.newFixedThreadPool(4);
        try {
            List<Future<Long>> waits = IntStream.range(0, 40)
                    .mapToObj(i -> contenders.submit(() -> wait(generator)))
                    .toList();
            for (Future<Long> wait : waits) {
                assertEquals(units(10), wait.get());
            }
        } finally {
            contenders.shutdownNow();
        }
        assertEquals(1, generator.snapshot().drifts());
    }

    /** A caller that waits through an {@link IdGenerator} comes out of the past by waiting. */
    @Test
    void shouldGoOnWhenWaitedFor() {
        draw(1);
        at(990);
        draw(1);
        at(980);
        IdGenerator<Sno> waiting =
                new IdGenerator<>(() -> generator, Sno::new, SnoGenerator.UNIT, Duration.ofMillis(40), clock);

        assertEquals(Sno.of(990, 1, 0, 7, 9), waiting.next());
        assertEquals(units(10), clock.nanos());
    }

    /** "They ... will be right next to the other timeline", "timestamped at exactly the same millisecond". */
    @Test
    void shouldSortBetweenTicksWhenToggled() {
        Sno tick = Sno.of(1_000, 0, 255, 65_535, 65_535);
        Sno tock = Sno.of(1_000, 1, 0, 0, 0);
        Sno next = Sno.of(1_001, 0, 0, 0, 0);

        assertTrue(tick.compareTo(tock) < 0 && tock.compareTo(next) < 0);
        assertTrue(tick.toString().compareTo(tock.toString()) < 0
                && tock.toString().compareTo(next.toString()) < 0);
        assertEquals(tick.time(), tock.time());
    }

    private void at(long units) {
        clock.setMicros(SnoGenerator.UNIT.microsAt(units));
    }

    private static long units(long units) {
        return units * 4_000_000;
    }

    private List<Sno> draw(int count) {
        List<Sno> ids = new ArrayList<>();
        Draw.of(generator, count, Variant.NONE, (high, low) -> ids.add(new Sno(high, low)));
        return ids;
    }

    private static long wait(SnoGenerator from) {
        Draw none = Draw.of(from, 1, Variant.NONE, (high, low) -> {});
        assertEquals(0, none.issued());
        return none.waitNanos();
    }
}
