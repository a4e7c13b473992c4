package org.idallocator.core.fence;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.clock.TickUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FenceTest {
    private static final long FLOOR = 100;
    private static final long CEILING = 200;
    private static final long DEADLINE = 8_000_000;

    private final ScriptedClock clock = new ScriptedClock(0);
    private final Fence fence = new Fence(clock, FLOOR, CEILING, DEADLINE);

    @ParameterizedTest
    @ValueSource(longs = {FLOOR, FLOOR + 1, CEILING})
    void shouldPassWhenTickIsUpToCeiling(long tick) {
        assertDoesNotThrow(() -> fence.check(tick));
        assertNull(fence.tripIfOverdue());
    }

    @Test
    void shouldTellHowLongItIsUntilTheDeadline() {
        clock.advance(Duration.ofNanos(DEADLINE - 3));
        assertEquals(Duration.ofNanos(3), fence.untilDeadline());

        clock.advance(Duration.ofNanos(4));
        assertEquals(Duration.ZERO, fence.untilDeadline());
    }

    @Test
    void shouldFenceWhenTickIsAboveCeiling() {
        FencedException thrown = assertThrows(FencedException.class, () -> fence.check(CEILING + 1));

        assertEquals(FenceReason.CEILING_PASSED, thrown.reason());
        assertEquals(
                "the clock is past the last tick reserved; another slot is claimed (tick 201 is above the ceiling 200)",
                thrown.getMessage());
        assertEquals(Duration.ofSeconds(1), thrown.retryAfter());
        assertSame(thrown, assertThrows(FencedException.class, () -> fence.check(CEILING)), "stays fenced");
        assertSame(thrown, fence.tripIfOverdue());
    }

    /** Ticks of 10 us from 1000 us on, 0 to 15. */
    @ParameterizedTest
    @CsvSource({"-5000, 0", "999, 0", "1000, 0", "1009, 0", "1010, 1", "1159, 15", "1160, 15", "9999, 15"})
    void shouldStartAtTickOfNowWhenSlotIsTheProgramsOwn(long micros, long floor) {
        clock.setMicros(micros);

        Fence local = Fence.fromNow(clock, new TickUnit(1_000, 10, 4));

        assertEquals(floor, local.floorTick());
        assertEquals(15, local.ceilingTick());
        clock.park(Long.MAX_VALUE / 4);
        assertNull(local.tripIfOverdue(), "no deadline");
    }

    @Test
    void shouldFenceWhenDeadlineIsReached() {
        clock.park(DEADLINE - 1);
        assertDoesNotThrow(() -> fence.check(CEILING));
        clock.park(1);

        FencedException thrown = assertThrows(FencedException.class, () -> fence.check(FLOOR));

        assertEquals(FenceReason.DEADLINE_PASSED, thrown.reason());
    }

    @Test
    void shouldNoticeDeadlineWhenOnlyAsked() {
        clock.park(DEADLINE + 7_999_999);

        FencedException fenced = Objects.requireNonNull(fence.tripIfOverdue());

        assertEquals(
                "no renewal was confirmed in time; another slot is claimed when ZooKeeper answers"
                        + " (the deadline passed at 1970-01-01T00:00:00.008Z)",
                fenced.getMessage());
        clock.advance(Duration.ofMinutes(1));
        assertSame(fenced, fence.tripIfOverdue(), "what was true remains so");
    }

    @Test
    void shouldTripNothingWhenOnlyAskedWhy() {
        clock.park(DEADLINE);

        assertNull(fence.trippedFor(), "nobody has noticed");
        assertNull(fence.refusalAbove(CEILING));
        FencedException above = Objects.requireNonNull(fence.refusalAbove(CEILING + 1));
        assertEquals(FenceReason.CEILING_PASSED, above.reason());
        assertNull(fence.trippedFor());

        assertSame(fence.tripIfOverdue(), fence.trippedFor());
        assertEquals(
                FenceReason.DEADLINE_PASSED,
                Objects.requireNonNull(fence.trippedFor()).reason());
    }

    @Test
    void shouldCompareByDifferenceWhenMonotonicTimeWraps() {
        clock.park(Long.MAX_VALUE - 5);
        Fence wrapping = new Fence(clock, FLOOR, CEILING, clock.nanos() + DEADLINE);

        assertTrue(wrapping.deadlineNanos() < 0, "wrapped");
        Fence extended = new Fence(clock, FLOOR, CEILING, Long.MAX_VALUE);
        assertTrue(extended.extend(CEILING, wrapping.deadlineNanos()));
        assertEquals(wrapping.deadlineNanos(), extended.deadlineNanos());
        assertDoesNotThrow(() -> wrapping.check(FLOOR));
        clock.park(DEADLINE - 1);
        assertTrue(clock.nanos() < 0, "wrapped");
        assertDoesNotThrow(() -> wrapping.check(FLOOR));
        clock.park(1);
        assertThrows(FencedException.class, () -> wrapping.check(FLOOR));
    }

    @Test
    void shouldMoveCeilingAndDeadlineWhenExtended() {
        assertTrue(fence.extend(CEILING + 50, DEADLINE + 50));

        clock.park(DEADLINE + 49);
        assertDoesNotThrow(() -> fence.check(CEILING + 50));
        assertEquals(FLOOR, fence.floorTick());
        assertEquals(CEILING + 50, fence.ceilingTick());
        assertEquals(DEADLINE + 50, fence.deadlineNanos());
        assertTrue(fence.extend(CEILING - 1, DEADLINE - 1), "moves nothing back");
        assertEquals(CEILING + 50, fence.ceilingTick());
        assertEquals(DEADLINE + 50, fence.deadlineNanos());
    }

    @Test
    void shouldStayFencedWhenExtendedAfterwards() {
        FencedException tripped = fence.trip(FenceReason.LEASE_GONE, "node deleted");

        assertFalse(fence.extend(CEILING + 50, DEADLINE + 50));

        assertEquals(CEILING, fence.ceilingTick());
        assertEquals(DEADLINE, fence.deadlineNanos());
        assertSame(tripped, assertThrows(FencedException.class, () -> fence.check(FLOOR)));
    }

    @Test
    void shouldRefuseExtensionWhenDeadlineHasPassedUnnoticed() {
        clock.park(DEADLINE);

        assertFalse(fence.extend(CEILING + 50, DEADLINE + 50));

        FencedException thrown = assertThrows(FencedException.class, () -> fence.check(FLOOR));
        assertEquals(FenceReason.DEADLINE_PASSED, thrown.reason());
    }

    @Test
    void shouldKeepFirstReasonWhenRaisedAgain() {
        FencedException first = fence.trip(FenceReason.SESSION_LOST, "session 0x1");

        assertSame(first, fence.trip(FenceReason.RELEASED, "by hand"));
        assertSame(first, fence.tripIfOverdue());
        clock.park(DEADLINE);
        assertSame(first, fence.tripIfOverdue());
        assertSame(first, assertThrows(FencedException.class, () -> fence.check(CEILING + 1)));
    }

    @ParameterizedTest
    @EnumSource
    void shouldSaySentenceAndDetailWhenRaised(FenceReason reason) {
        FencedException tripped = fence.trip(reason, "the detail");

        assertEquals(reason, tripped.reason());
        assertEquals(reason.sentence() + " (the detail)", tripped.getMessage());
        assertEquals(0, tripped.getStackTrace().length);
        assertSame(tripped, assertThrows(FencedException.class, () -> fence.check(FLOOR)));
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadAsCodeAndSentenceWhenReason(FenceReason reason) {
        assertTrue(reason.code().matches("[a-z]+(-[a-z]+)*"), reason.code());
        assertEquals(reason.name(), reason.code().replace('-', '_').toUpperCase(Locale.ROOT));
        assertTrue(reason.sentence().matches("[a-zA-Z].*[^. ]"), reason.sentence());
    }

    @Test
    void shouldHaveNoDeadlineInALifetimeWhenUnbounded() {
        clock.park(Long.MAX_VALUE - 5);
        Fence unbounded = Fence.unbounded(clock, FLOOR, CEILING);

        clock.advance(Duration.ofDays(100 * 365));

        assertDoesNotThrow(() -> unbounded.check(CEILING));
        assertThrows(FencedException.class, () -> unbounded.check(CEILING + 1));
    }
}
