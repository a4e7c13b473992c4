package org.idallocator.service.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.junit.jupiter.api.Test;

class TextsTest {
    private final Clock clock = new ScriptedClock(1_750_000_000_000_001L);

    private String refused(String text) {
        return String.valueOf(
                assertThrows(UsageException.class, () -> Texts.waitingUntil("--floor", text, "; why", clock))
                        .getMessage());
    }

    @Test
    void shouldTakeATimeThatIsAtMostADayAhead() {
        assertEquals(Instant.parse("2025-06-15T15:06:40.000001Z"), Texts.now(clock));
        assertEquals(
                Instant.parse("2025-06-16T15:06:40.000001Z"),
                Texts.waitingUntil("--floor", "2025-06-16T15:06:40.000001Z", "; why", clock));
        assertEquals(Instant.EPOCH, Texts.waitingUntil("--floor", "1970-01-01T00:00:00Z", "; why", clock));
    }

    @Test
    void shouldRefuseATimeThatIsFurtherAhead() {
        assertEquals(
                "--floor must be at most a day ahead: 2025-06-16T15:06:40.000002Z; why",
                refused("2025-06-16T15:06:40.000002Z"));
        assertEquals("an instant must be as in 2026-01-31T12:00:00Z: tomorrow", refused("tomorrow"));
    }
}
