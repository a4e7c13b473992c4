package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.junit.jupiter.api.Test;

/** How far ahead ticks are reserved, and until when a tenure may rely on its lease. */
final class LeaseRulesTest {
    @Test
    void shouldStayWithinTimeFieldWhenThatEnds() {
        Duration skew = Duration.ofSeconds(2);
        Clock clock = Clock.system();
        TickUnit millis = new TickUnit(0, 1_000, 42);
        LeaseRules rules = new LeaseRules(clock, Duration.ofSeconds(3), skew);
        assertEquals(millis.maxTick(), rules.ceiling(millis, (millis.maxTick() - 1) * 1_000));
    }
}
