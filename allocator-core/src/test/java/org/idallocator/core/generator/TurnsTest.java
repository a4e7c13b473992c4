package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.IdSink;
import org.junit.jupiter.api.Test;

final class TurnsTest {
    private static final int CAPACITY = 64;
    private static final int PART = CAPACITY / Turns.PARTS;
    private static final int ALL = 1_000_000;
    private static final long NEVER = Long.MAX_VALUE;

    private long now;
    private final Turns turns = new Turns(CAPACITY, () -> now);

    @Test
    void shouldBeQuietUntilSomebodyWaits() {
        assertTrue(turns.quiet());

        Turn turn = batch(5);
        assertFalse(turns.quiet());
        end(turn, 5);

        assertTrue(turns.quiet());
    }

    @Test
    void shouldNotBeQuietWhileSinglesWaitedLately() {
        end(single(5), 5);

        end(batch(6), 5 + Turns.LINGER_TICKS);
        assertFalse(turns.quiet());
        end(batch(6), 6 + Turns.LINGER_TICKS);
        assertTrue(turns.quiet());
    }

    /** Where singles alone come and go, no batch ends that could notice. */
    @Test
    void shouldBeQuietAgainWhenOnlySinglesCame() {
        end(single(5), 5);
        assertFalse(turns.quiet());
        end(single(5), 6 + Turns.LINGER_TICKS);
        assertTrue(turns.quiet());

        end(single(100), 100);
        now = 100 + Turns.LINGER_TICKS;
        assertEquals(0, turns.leaveToOthers());
        assertFalse(turns.quiet());
        now++;
        assertEquals(0, turns.leaveToOthers());
        assertTrue(turns.quiet());
    }

    @Test
    void shouldGiveSinglesSevenEighthsOfEachTickInTheirOrder() {
        for (int i = 0; i < 2 * CAPACITY; i++) {
            assertEquals(5 + i / (CAPACITY - PART), single(5).tick(), "single " + i);
        }
    }

    /** Otherwise callers that come later, and find the end of the queue, would overtake. */
    @Test
    void shouldGiveASingleTheNextTickWhenOthersWereFaster() {
        singles(5, 3 * CAPACITY);

        assertEquals(5, turns.single(5, NEVER, true).tick());
        assertEquals(8, single(5).tick(), "the queue is as long as before");
    }

    // --- Those that come while others wait.

    @Test
    void shouldLeaveWhatIsBookedAndTheBatchesEighthWhenASingleHasNoTurn() {
        singles(5, 10);
        Turn batch = batch(5);
        now = 5;
        assertEquals(10 + PART, turns.leaveToOthers());

        grant(batch, 3, 5);
        batch(6);
        assertEquals(10 + PART - 3, turns.leaveToOthers(), "the batch has asked for its own");
        now = 6;
        assertEquals(PART, turns.leaveToOthers());
    }

    @Test
    void shouldLeaveNoEighthWhenNoBatchWaits() {
        singles(5, 10);
        now = 5;

        assertEquals(10, turns.leaveToOthers());
    }

    @Test
    void shouldLeaveTheBatchesEighthWhenASingleHasItsTurn() {
        Turn single = single(5);
        assertEquals(new Turns.Grant(5, 0, 1, 0), grant(single, 1, 5));

        batch(5);
        assertEquals(new Turns.Grant(5, 0, 1, PART), grant(single, 1, 5));
    }

    // --- Batches.

    @Test
    void shouldGiveABatchTheWholeTickWhenItIsAlone() {
        assertEquals(new Turns.Grant(5, CAPACITY, 0, 0), grant(batch(5), ALL, 5));
    }

    @Test
    void shouldShareATickEvenlyWhenBatchesWait() {
        Turn few = batch(5);
        Turn first = batch(5);
        Turn second = batch(5);

        assertEquals(1, grant(few, 1, 5).count());
        assertEquals((CAPACITY - 1) / 2, grant(first, ALL, 5).count());
        assertEquals(CAPACITY / 2, grant(second, ALL, 5).count(), "what is left");
    }

    @Test
    void shouldShareTheEighthEvenlyWhenSinglesWait() {
        singles(5, CAPACITY - PART);
        List<Turn> batches = new ArrayList<>();
        for (int i = 0; i < PART; i++) {
            batches.add(batch(5));
        }

        for (Turn batch : batches) {
            assertEquals(new Turns.Grant(5, 1, 0, CAPACITY - PART), grant(batch, ALL, 5));
        }
    }

    /** A sink may take long: whoever draws into it must not look like one that still waits for its turn. */
    @Test
    void shouldWaitForABatchNoMoreWhenItWasToldHowManyToDraw() {
        Turn slow = batch(5);
        Turn other = batch(5);
        grant(slow, 2, 5);

        assertEquals(CAPACITY - 2, grant(other, ALL, 5).count(), "not half");
        assertTrue(turns.quiet(), "nobody waits");
    }

    /** Who wakes first would take what others wake for. */
    @Test
    void shouldHaveNoSecondTurnInATickWhileOthersWaitForTheirs() {
        Turn first = batch(5);
        Turn second = batch(5);
        grant(first, 1, 5);

        assertEquals(6, batch(5).tick());
        grant(second, 1, 5);
        assertEquals(6, batch(6).tick());
    }

    @Test
    void shouldHaveAnotherTurnInTheTickWhenSomeIsLeft() {
        Turn first = batch(5);
        batch(6);
        grant(first, 1, 5);

        Turn again = batch(5);

        assertEquals(5, again.tick());
        assertEquals(CAPACITY - 1, grant(again, ALL, 5).count());
        assertEquals(6, batch(5).tick(), "nothing is left");
    }

    @Test
    void shouldGrantNothingWhenBatchesHaveHadAllOfTheTick() {
        Turn late = batch(4);
        grant(batch(5), ALL, 5);

        assertEquals(0, grant(late, ALL, 5).count());
    }

    /** What nobody was given is not used up: another batch may ask, in this tick and as its own. */
    @Test
    void shouldTakeBackWhatABatchDidNotFind() {
        singles(5, 10);
        Turn first = batch(5);
        Turn second = batch(5);
        Turns.Grant all = grant(first, ALL, 5);
        assertEquals(new Turns.Grant(5, PART / 2, 19, 10 + PART), all);

        turns.missed(all, PART / 2 - 1);

        assertEquals(
                new Turns.Grant(5, PART / 2 + 1, CAPACITY - PART - 10 - 3 - (PART / 2 + 1), 10 + PART),
                grant(second, ALL, 5));
    }

    @Test
    void shouldTakeNothingBackWhenTheTickIsOver() {
        Turns.Grant old = grant(batch(5), ALL, 5);
        grant(batch(6), 10, 6);

        turns.missed(old, 0);

        assertEquals(CAPACITY - 10, grant(batch(6), ALL, 6).count());
    }

    @Test
    void shouldGiveBatchesAnEighthInAnyCaseWhenSinglesWait() {
        singles(5, CAPACITY - PART);

        assertEquals(new Turns.Grant(5, PART, 0, CAPACITY - PART), grant(batch(5), ALL, 5));
    }

    @Test
    void shouldLeaveWhatSinglesWaitForAndAnEighthBeyondTheBatchesOwn() {
        singles(5, 10);

        assertEquals(new Turns.Grant(5, PART, CAPACITY - 10 - 2 * PART, 10 + PART), grant(batch(5), ALL, 5));
        assertEquals(new Turns.Grant(6, PART, CAPACITY - 2 * PART, PART), grant(batch(6), ALL, 6), "singles to come");
        assertEquals(
                new Turns.Grant(6 + Turns.LINGER_TICKS, CAPACITY, 0, 0),
                grant(batch(22), ALL, 6 + Turns.LINGER_TICKS),
                "there were none");
    }

    @Test
    void shouldLeaveNoMoreForSinglesWhoseTurnIsOver() {
        Turn first = single(5);
        Turn second = single(5);

        end(first, 5);
        assertEquals(1 + PART, grant(batch(5), 1, 5).leave());
        end(second, 5);
        assertEquals(PART, grant(batch(5), 1, 5).leave());
    }

    /** Otherwise those who ask and are refused, again and again, would push the turns of all others away. */
    @Test
    void shouldBookNothingWhenTheTurnWouldBeTooLate() {
        singles(5, CAPACITY - PART);
        for (int i = 0; i < 10 * CAPACITY; i++) {
            assertEquals(6, turns.single(5, 5, false).tick());
            assertEquals(6, turns.single(6, 5, true).tick());
            assertEquals(6, turns.batch(6, 5).tick());
        }

        assertEquals(6, single(5).tick());
        assertEquals(6, batch(6).tick());
    }

    @Test
    void shouldWakeOnlySoManyBatchesInATick() {
        for (int i = 0; i < 3 * PART; i++) {
            assertEquals(5 + i / PART, batch(5).tick(), "batch " + i);
        }
    }

    /** Whoever wakes last of too many would find the tick over. */
    @Test
    void shouldWakeNoMoreThan256BatchesInATickThatHoldsMuch() {
        Turns large = new Turns(2 * Turns.MOST_BATCHES * Turns.PARTS, () -> now);
        for (int i = 0; i < 3 * Turns.MOST_BATCHES; i++) {
            assertEquals(5 + i / Turns.MOST_BATCHES, large.batch(5, NEVER).tick(), "batch " + i);
        }
    }

    // --- Callers that give up, and clocks.

    @Test
    void shouldGiveThePlaceToTheNextWhenACallerGivesUpBeforeItsTick() {
        for (int i = 0; i < 10 * CAPACITY; i++) {
            Turn given = single(5);
            assertEquals(5, given.tick(), "single " + i);
            end(given, 4);
            Turn batch = batch(5);
            assertEquals(5, batch.tick(), "batch " + i);
            end(batch, 4);
        }
    }

    @Test
    void shouldBeginAnewWhenTheClockSteppedBack() {
        now = 1_000;
        singles(1_000, CAPACITY);
        for (int i = 0; i < CAPACITY; i++) {
            batch(1_000);
        }

        now = 500;
        assertEquals(500, single(500).tick());
        Turn batch = batch(500);
        assertEquals(500, batch.tick());
        assertEquals(0, grant(batch, 1, 501 + Turns.LINGER_TICKS).leave());
    }

    /** Batches alone would leave a part for singles until the clock is there again. */
    @Test
    void shouldForgetSinglesOfLaterWhenOnlyBatchesComeAfterTheClockSteppedBack() {
        now = 1_000;
        end(single(1_000), 1_000);

        now = 500;
        Turn batch = batch(500);

        assertEquals(
                new Turns.Grant(501 + Turns.LINGER_TICKS, CAPACITY, 0, 0), grant(batch, ALL, 501 + Turns.LINGER_TICKS));
        assertTrue(turns.quiet());
    }

    /** A thread that read the clock, and was stopped before it booked, comes after those that read the clock later. */
    @Test
    void shouldKeepTheQueueWhenACallerReadTheClockLongAgo() {
        now = 100;
        singles(100, 3 * CAPACITY);
        long last = single(100).tick();

        assertEquals(last, single(5).tick());
        assertEquals(last, single(100).tick());
    }

    @Test
    void shouldKeepTheQueueWhenTheClockStepsBackByATick() {
        now = 5;
        singles(5, 3 * CAPACITY);
        long last = single(5).tick();

        now = 4;
        assertEquals(last, single(4).tick());
    }

    @Test
    void shouldShareNothingWhenATickHoldsTooFew() {
        Turns few = new Turns(Turns.PARTS - 1, () -> 5);

        for (int i = 0; i < 100; i++) {
            assertEquals(5, few.single(5, NEVER, false).tick());
            assertEquals(5, few.batch(5, NEVER).tick());
        }
        assertTrue(few.quiet());
        assertEquals(Turns.Grant.unshared(ALL), few.batch(5, NEVER).grant(ALL));
        assertEquals(0, few.leaveToOthers());
    }

    private Turn single(long due) {
        return turns.single(due, NEVER, false);
    }

    /** Of several slots some come and go; what was booked stays booked. */
    @Test
    void shouldGiveMoreTurnsWhenThereIsASlotMore() {
        int[] slots = {1};
        Turns several = over(slots);
        for (int i = 0; i < CAPACITY; i++) {
            several.single(5, NEVER, false);
        }
        assertEquals(6, several.single(5, NEVER, false).tick());
        slots[0] = 2;
        for (int i = 0; i < CAPACITY; i++) {
            assertEquals(6, several.single(5, NEVER, false).tick(), "single " + i);
        }
        Turn batch = several.batch(5, NEVER);
        assertEquals(new Turns.Grant(5, 2 * PART, 0, CAPACITY + PART), batch.grant(2 * PART));
        slots[0] = 1;
        assertEquals(0, batch.grant(1).count(), "one slot has no more for batches");
    }

    @Test
    void shouldLeaveItToTheGeneratorToSayWhyNothingServes() {
        int[] slots = {1};
        Turns several = over(slots);
        Turn batch = several.batch(5, NEVER);
        slots[0] = 0;
        assertEquals(Turns.Grant.unshared(ALL), batch.grant(ALL));
        assertEquals(5, several.single(5, NEVER, false).tick());
        assertEquals(5, several.batch(5, NEVER).tick());
        slots[0] = -1;
        assertEquals(Turns.Grant.unshared(ALL), batch.grant(ALL));
    }

    /** As when nothing serves at that moment, and a slot serves again before the batch draws. */
    @Test
    void shouldTakeNothingBackOfWhatWasToldWithoutTurns() {
        int[] slots = {1};
        Turns several = over(slots);
        for (int i = 0; i < 30; i++) {
            several.single(5, NEVER, false);
        }
        Turn first = several.batch(5, NEVER);
        Turn second = several.batch(5, NEVER);
        Turn third = several.batch(5, NEVER);
        first.grant(PART);
        slots[0] = 0;
        Turns.Grant granted = second.grant(ALL);
        slots[0] = 1;

        several.missed(granted, 10);

        assertEquals(new Turns.Grant(5, 5, 13, 38), third.grant(ALL));
    }

    /** A tenure may begin later than other slots have numbers. */
    @Test
    void shouldNotHaveCallersQueueBehindThoseWhoWaitForALaterTick() {
        now = 4;
        assertEquals(50, single(50).tick());
        assertEquals(50, batch(50).tick());

        assertEquals(5, single(5).tick());
        assertEquals(5, batch(5).tick());
        for (int i = 1; i < CAPACITY - PART; i++) {
            assertEquals(5, single(5).tick(), "single " + i);
        }
        assertEquals(6, single(5).tick());
    }

    @Test
    void shouldGiveALaterTickToAsManyAsItHolds() {
        for (int i = 0; i < CAPACITY - PART; i++) {
            assertEquals(50, single(50).tick(), "single " + i);
        }
        assertEquals(51, single(50).tick());

        now = 49;
        assertEquals(51, single(50).tick());
    }

    /** In tick 5, so many slots of {@link #CAPACITY}; of fewer than none, not even a generator serves. */
    private static Turns over(int[] slots) {
        return Turns.over(
                () -> {
                    if (slots[0] < 0) {
                        throw new FencedException(FenceReason.STARTING, "nothing serves", Duration.ZERO);
                    }
                    return new Holding(slots[0] * CAPACITY);
                },
                new TickUnit(0, 1, 40),
                new ScriptedClock(5));
    }

    /** Tells how much a tick holds, and gives nothing. */
    private record Holding(int capacity) implements Generator {
        @Override
        public int capacity(long tick) {
            return capacity;
        }

        @Override
        public Draw draw(int count, Variant variant, IdSink sink) {
            throw new UnsupportedOperationException("nobody draws");
        }

        @Override
        public long dueTick(long now) {
            return now;
        }

        @Override
        public long close() {
            return 0;
        }
    }

    private Turn batch(long due) {
        return turns.batch(due, NEVER);
    }

    private Turns.Grant grant(Turn turn, int wanted, long at) {
        now = at;
        return turn.grant(wanted);
    }

    private void end(Turn turn, long at) {
        now = at;
        turn.end();
    }

    private void singles(long due, int count) {
        for (int i = 0; i < count; i++) {
            single(due);
        }
    }
}
