package org.idallocator.service.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.idallocator.core.clock.ScriptedClock;
import org.junit.jupiter.api.Test;

class RatesTest {
    private final ScriptedClock clock = new ScriptedClock(0);
    private final AtomicLong issued = new AtomicLong(1_000);
    private final Rates rates = new Rates(List.of("sno"), scheme -> issued.get(), clock);

    private void lookAfter(long millis, long more) {
        issued.addAndGet(more);
        clock.advance(Duration.ofMillis(millis));
        rates.run();
    }

    @Test
    void shouldTellEachRateForTheTimeThatHasPassed() {
        lookAfter(2_000, 10);
        lookAfter(4_000, 10);
        lookAfter(2_000, 0);

        assertEquals(List.of(5.0, 2.5, 0.0), rates.of("sno"));
        assertEquals(List.of(), rates.of("uid60"));
    }

    @Test
    void shouldForgetTheOldest() {
        for (int i = 0; i < 151; i++) {
            lookAfter(2_000, i == 0 ? 2 : 4);
        }

        assertEquals(150, rates.of("sno").size());
        assertEquals(2.0, rates.of("sno").get(0));
    }

    @Test
    void shouldTellNothingWhereNoTimeHasPassed() {
        rates.run();

        assertEquals(List.of(), rates.of("sno"));
    }
}
