package org.idallocator.zk.era;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Store;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the leaderClock knows of ZooKeeper's time, and when a clock is off. */
final class LeaderClockTest {
    private static final long START_MICROS = 1_700_000_000_000_000L;

    private final ScriptedClock clock = new ScriptedClock(START_MICROS);
    private final LeaderClock leaderClock = new LeaderClock(clock, Duration.ofSeconds(2));

    /**
     * A write takes {@code roundTrip} until now. In it the leader's clock reads {@code leaderMillis} after the start.
     */
    private void observe(long leaderMillis, Duration roundTrip) {
        long sentNanos = clock.nanos();
        clock.advance(roundTrip);
        Store.Written written = new Store.Written(1, START_MICROS / 1_000 + leaderMillis);
        leaderClock.observe(new Outcome.Confirmed(List.of(written)), sentNanos);
    }

    @Test
    void shouldNotGiveATimeThatNothingWasComparedWith() {
        assertThrows(IllegalStateException.class, leaderClock::requireMicros);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "0, 100, 0", // stamped when it was sent
        "100, 100, 0", // stamped when it was answered
        "50, 100, 0",
        "-3000, 100, 2999", // at least so far ahead, whenever it was stamped
        "3000, 100, -2900",
    })
    void shouldSayHowFarOffTheClockIsAtLeast(long leaderMillis, long roundTripMillis, long skewMillis) {
        observe(leaderMillis, Duration.ofMillis(roundTripMillis));
        assertEquals(skewMillis, leaderClock.skewMicros() / 1_000);
    }

    @ParameterizedTest
    @CsvSource({"3001, 3000 ms ahead of", "-3000, 3000 ms behind"})
    void shouldRefuseAndSayHowFarOffTheClockIs(long offMillis, String far) {
        observe(0, Duration.ZERO);
        clock.setMicros(START_MICROS + offMillis * 1_000);
        assertTrue(leaderClock.isOff());
        FencedException e = assertThrows(FencedException.class, leaderClock::requireMicros);
        assertEquals(FenceReason.CLOCK_SKEW, e.reason());
        assertEquals(
                "the clock is too far from ZooKeeper's; correct the clock (the clock is " + far
                        + " ZooKeeper's, allowed are 2000 ms)",
                e.getMessage());
    }

    /** By the leaders' clocks, and by this replica's: a leader's clock that was ahead would hide a silence. */
    @ParameterizedTest
    @CsvSource({
        "14999, 14999, true",
        "15000, 14999, false",
        "14999, 15000, false",
        "-999, 1, true", // another leader
        "-1000, 1, false"
    })
    void shouldBeInTheSameContactWhileZooKeeperTellsItsTimeInTime(long leaderMillis, long millis, boolean same) {
        observe(0, Duration.ZERO);
        Contact first = leaderClock.contact();
        clock.advance(Duration.ofMillis(millis));
        observe(leaderMillis, Duration.ZERO);
        assertEquals(same, leaderClock.isIn(first));
        assertEquals(
                Instant.ofEpochMilli(START_MICROS / 1_000 + (same ? 0 : leaderMillis)),
                leaderClock.contact().since());
    }

    /** Also where nobody asks: what is read after a silence may be of another history. */
    @Test
    void shouldBeInNoContactAfterASilence() {
        observe(0, Duration.ofSeconds(1));
        Contact contact = leaderClock.contact();
        clock.advance(Duration.ofMillis(13_999));
        assertTrue(leaderClock.isIn(contact));
        assertTrue(leaderClock.vouch().isPresent());
        clock.advance(Duration.ofMillis(1));
        assertFalse(leaderClock.isIn(contact), "15 s after ZooKeeper was asked");
        assertTrue(leaderClock.vouch().isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"-14999, true", "-15000, false", "1001, true", "1002, false"})
    void shouldHaveSeenWhatWasWrittenSinceTheContactBegan(long writtenMillis, boolean seen) {
        observe(0, Duration.ZERO);
        assertEquals(seen, leaderClock.hasSeen(Instant.ofEpochMilli(START_MICROS / 1_000 + writtenMillis)));
    }

    @Test
    void shouldCarryTimeOnWhenLastObservationIsOld() {
        observe(0, Duration.ZERO);
        clock.advance(Duration.ofHours(10));
        assertEquals(0, leaderClock.skewMicros());
        assertFalse(leaderClock.isOff());
    }

    /** The leader may have stamped the write at any time until the answer: the longer that took, the less is known. */
    @Test
    void shouldReserveByNoLaterTimeThanZooKeepersAndSkewWhenAnswerWasSlow() {
        observe(0, Duration.ofSeconds(5));
        clock.setMicros(START_MICROS + 6_000_000);
        assertFalse(leaderClock.isOff(), "it may be right");
        assertEquals(START_MICROS + 2_000_000, leaderClock.requireMicros());
    }

    @Test
    void shouldAllowWhatIsAllowed() {
        observe(0, Duration.ZERO);
        clock.setMicros(START_MICROS + 2_000_000);
        assertEquals(START_MICROS + 2_000_000, leaderClock.requireMicros());
        clock.setMicros(START_MICROS - 2_000_000);
        assertEquals(START_MICROS - 2_000_000, leaderClock.requireMicros());
    }

    @ParameterizedTest
    @CsvSource({
        "50, 100, 49500", // stamped in the middle: half of the stamp's millisecond is the rest
        "0, 100, 99500",
        "100, 100, -500",
        "-3000, 100, 3099500",
    })
    void shouldGuessHowFarAheadTheClockIs(long leaderMillis, long roundTripMillis, long offsetMicros) {
        assertEquals(Optional.empty(), leaderClock.offset());
        observe(leaderMillis, Duration.ofMillis(roundTripMillis));
        long guess = leaderClock.offset().orElseThrow().toNanos() / 1_000;
        assertEquals(offsetMicros - roundTripMillis * 1_000 / 2, guess);
        clock.advance(Duration.ofSeconds(7));
        assertEquals(guess, leaderClock.offset().orElseThrow().toNanos() / 1_000, "both clocks go on alike");
    }
}
