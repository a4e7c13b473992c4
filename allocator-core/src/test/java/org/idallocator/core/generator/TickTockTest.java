package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the specification's section on clock drift has callers wait; {@link SnoVectorsTest} has the toggles. */
final class TickTockTest {
    private static final SnoRange RANGE = new SnoRange(8, 15);

    private final ScriptedClock clock = new ScriptedClock(0);
    private final SnoGenerator generator = SnoGenerator.restore(SnoSnapshot.fresh(SnoPartition.of(7), RANGE), clock);

    @BeforeEach
    void start() {
        at(1_000);
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
