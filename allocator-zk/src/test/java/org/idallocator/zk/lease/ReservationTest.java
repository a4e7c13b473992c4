package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.zk.epoch.LeaderClock;
import org.junit.jupiter.api.Test;

/** How far ahead ticks are reserved, and until when a tenure may rely on its lease. */
final class ReservationTest {
    @Test
    void shouldStayWithinTimeFieldWhenThatEnds() {
        Duration skew = Duration.ofSeconds(2);
        Clock clock = Clock.system();
        TickUnit millis = new TickUnit(0, 1_000, 42);
        Reservation reservation = new Reservation(clock, new LeaderClock(clock, skew), Duration.ofSeconds(3), skew);
        assertEquals(millis.maxTick(), reservation.ceiling(millis, (millis.maxTick() - 1) * 1_000));
    }
}
