package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class TurnsTest {
    private static final int CAPACITY = 64;
    private static final int PART = CAPACITY / Turns.PARTS;
    private static final int ALL = 1_000_000;
    private static final long NEVER = Long.MAX_VALUE;

    private final Turns turns = new Turns(CAPACITY);

    @Test
    void shouldBeQuietUntilSomebodyWaits() {
        assertTrue(turns.quiet());

        Turn turn = batch(5);
        assertFalse(turns.quiet());
        turn.end(5);

        assertTrue(turns.quiet());
    }

    @Test
    void shouldNotBeQuietWhileSinglesWaitedLately() {
        turns.single(5, NEVER).end(5);

        batch(6).end(5 + Turns.LINGER_TICKS);
        assertFalse(turns.quiet());
        batch(6).end(6 + Turns.LINGER_TICKS);
        assertTrue(turns.quiet());
    }

    @Test
    void shouldGiveSinglesSevenEighthsOfEachTickInTheirOrder() {
        for (int i = 0; i < 2 * CAPACITY; i++) {
            assertEquals(5 + i / (CAPACITY - PART), turns.single(5, NEVER).tick(), "single " + i);
        }
    }

    @Test
    void shouldGiveABatchTheWholeTickWhenItIsAlone() {
        assertEquals(new Turns.Grant(CAPACITY, 0), batch(5).grant(ALL, 5));
    }

    @Test
    void shouldShareATickEvenlyWhenBatchesWait() {
        Turn few = batch(5);
        Turn first = batch(5);
        Turn second = batch(5);

        assertEquals(1, few.grant(1, 5).count());
        few.end(5);
        assertEquals((CAPACITY - 1) / 2, first.grant(ALL, 5).count());
        first.end(5);
        assertEquals(CAPACITY / 2, second.grant(ALL, 5).count(), "what is left");
    }

    /** Who wakes first would take what others wake for. */
    @Test
    void shouldHaveNoSecondTurnInATickWhileOthersWaitForTheirs() {
        Turn first = batch(5);
        Turn second = batch(5);
        first.grant(1, 5);
        first.end(5);

        assertEquals(6, batch(5).tick());
        second.grant(1, 5);
        second.end(5);
        assertEquals(6, batch(6).tick());
    }

    @Test
    void shouldHaveAnotherTurnInTheTickWhenSomeIsLeft() {
        Turn first = batch(5);
        batch(6);
        first.grant(1, 5);
        first.end(5);

        Turn again = batch(5);

        assertEquals(5, again.tick());
        assertEquals(CAPACITY - 1, again.grant(ALL, 5).count());
        again.end(5);
        assertEquals(6, batch(5).tick(), "nothing is left");
    }

    @Test
    void shouldGrantNothingWhenBatchesHaveHadAllOfTheTick() {
        Turn late = batch(4);
        batch(5).grant(ALL, 5);
        late.grant(ALL, 5);

        assertEquals(0, late.grant(ALL, 5).count());
    }

    @Test
    void shouldGiveBatchesAnEighthInAnyCaseWhenSinglesWait() {
        singles(5, CAPACITY - PART);

        assertEquals(new Turns.Grant(PART, CAPACITY - PART), batch(5).grant(ALL, 5), "leaves what is for singles");
    }

    @Test
    void shouldLeaveWhatSinglesWaitForAndAnEighthWhenBatchesHaveHadTheirs() {
        singles(5, 10);
        Turn batch = batch(5);
        batch.grant(ALL, 5);

        assertEquals(new Turns.Grant(CAPACITY - 10 - 2 * PART, 10 + PART), batch.grant(ALL, 5));
        assertEquals(new Turns.Grant(PART, 0), batch.grant(ALL, 6));
        assertEquals(new Turns.Grant(1, PART), batch.grant(1, 6), "singles to come");
        assertEquals(new Turns.Grant(CAPACITY, 0), batch.grant(ALL, 6 + Turns.LINGER_TICKS), "there were none");
    }

    @Test
    void shouldLeaveNoMoreForSinglesWhoseTurnIsOver() {
        Turn first = turns.single(5, NEVER);
        Turn second = turns.single(5, NEVER);
        Turn batch = batch(5);
        batch.grant(ALL, 5);

        first.end(5);
        assertEquals(1 + PART, batch.grant(1, 5).leave());
        second.end(5);
        assertEquals(PART, batch.grant(1, 5).leave());
    }

    /** Otherwise those who ask and are refused, again and again, would push the turns of all others away. */
    @Test
    void shouldBookNothingWhenTheTurnWouldBeTooLate() {
        singles(5, CAPACITY - PART);
        for (int i = 0; i < 10 * CAPACITY; i++) {
            assertEquals(6, turns.single(5, 5).tick());
            assertEquals(6, turns.batch(6, 5).tick());
        }

        assertEquals(6, turns.single(5, NEVER).tick());
        assertEquals(6, batch(6).tick());
    }

    @Test
    void shouldWakeOnlySoManyBatchesInATick() {
        for (int i = 0; i < 3 * PART; i++) {
            assertEquals(5 + i / PART, batch(5).tick(), "batch " + i);
        }
    }

    @Test
    void shouldBeginAnewWhenTheClockSteppedBack() {
        singles(1_000, CAPACITY);
        for (int i = 0; i < CAPACITY; i++) {
            batch(1_000);
        }

        assertEquals(500, turns.single(500, NEVER).tick());
        Turn batch = batch(500);
        assertEquals(500, batch.tick());
        assertEquals(0, batch.grant(1, 501 + Turns.LINGER_TICKS).leave());
    }

    /** A thread that read the clock at the end of a tick may come after one that read the clock in the next. */
    @Test
    void shouldKeepTheQueueWhenACallerReadTheClockATickEarlier() {
        singles(5, 3 * CAPACITY);
        long last = turns.single(5, NEVER).tick();

        assertEquals(last, turns.single(4, NEVER).tick());
    }

    @Test
    void shouldShareNothingWhenATickHoldsTooFew() {
        Turns few = new Turns(Turns.PARTS - 1);

        for (int i = 0; i < 100; i++) {
            assertEquals(5, few.single(5, NEVER).tick());
            assertEquals(5, few.batch(5, NEVER).tick());
        }
        assertTrue(few.quiet());
        assertEquals(new Turns.Grant(ALL, 0), few.batch(5, NEVER).grant(ALL, 5));
    }

    private Turn batch(long due) {
        return turns.batch(due, NEVER);
    }

    private void singles(long due, int count) {
        for (int i = 0; i < count; i++) {
            turns.single(due, NEVER);
        }
    }
}
