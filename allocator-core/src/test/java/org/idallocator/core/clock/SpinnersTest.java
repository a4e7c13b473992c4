package org.idallocator.core.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who spins through a short wait, and who parks, because others spin already. */
class SpinnersTest {
    private static final long SHORT_NANOS = 10_000;

    private final List<Long> parked = new ArrayList<>();

    @Test
    void shouldLetSoManySpinAtATime() {
        Spinners two = new Spinners(2);

        assertTrue(two.begin());
        assertTrue(two.begin());
        assertFalse(two.begin());

        two.end();
        assertTrue(two.begin(), "whoever was refused has taken nothing");
    }

    @Test
    void shouldLeaveHalfTheCores() {
        Spinners spinners = Spinners.onHalfTheCores();
        int most = 0;
        while (spinners.begin()) {
            most++;
        }

        assertEquals(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), most);
    }

    @Test
    void shouldParkWhereNobodyMaySpin() {
        new SystemClock(new Spinners(0), parked::add).park(SHORT_NANOS);

        assertEquals(List.of(SHORT_NANOS), parked);
    }

    @Test
    void shouldSpinAgainAndAgainWhereOneMay() {
        SystemClock clock = new SystemClock(new Spinners(1), parked::add);
        clock.park(SHORT_NANOS);
        clock.park(SHORT_NANOS);

        assertEquals(List.of(), parked);
    }

    @Test
    void shouldParkThroughALongWait() {
        long longer = 1_000_000;
        new SystemClock(new Spinners(1), parked::add).park(longer);

        assertEquals(List.of(longer), parked);
    }
}
