package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
