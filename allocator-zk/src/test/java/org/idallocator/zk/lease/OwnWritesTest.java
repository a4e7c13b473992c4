package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class OwnWritesTest {
    private final OwnWrites writes = new OwnWrites();

    @Test
    void shouldTakeNewsForItsOwnWhenItComesBeforeTheAnswer() {
        assertFalse(writes.isStrangers(7), "of the claim, which is under way");
        assertFalse(writes.settled(7));
        writes.begin(1, 100);
        assertFalse(writes.isStrangers(9));
        assertFalse(writes.settled(9));
    }

    @Test
    void shouldTakeNewsForItsOwnWhenItComesLate() {
        assertFalse(writes.settled(9));
        assertFalse(writes.isStrangers(9));
        assertFalse(writes.isStrangers(7));
    }

    @Test
    void shouldTellStrangersWhenNothingIsUnderWay() {
        assertFalse(writes.settled(9));
        assertTrue(writes.isStrangers(10));
    }

    @Test
    void shouldTellStrangersWithTheAnswerWhenTheyWroteAfterIt() {
        writes.begin(1, 100);
        assertFalse(writes.isStrangers(9));
        assertFalse(writes.isStrangers(10));
        assertTrue(writes.settled(9));
    }

    @Test
    void shouldTellStrangersWhenTheWriteThatWasUnderWayIsReadBack() {
        assertFalse(writes.settled(9));
        writes.begin(1, 100);
        assertFalse(writes.isStrangers(11));
        assertTrue(writes.settled(9), "the write was never made");
    }

    @Test
    void shouldKnowWhatItHasConfirmed() {
        assertFalse(writes.settled(9));
        assertTrue(writes.mayHaveLeft(2, 9, 100));
        assertFalse(writes.mayHaveLeft(3, 10, 100));
    }

    /** All that was sent since the last confirmed write is conditional on the same version, and any of it may have been made. */
    @Test
    void shouldKnowWhatItMayHaveWritten() {
        writes.begin(1, 100);
        assertFalse(writes.settled(9));
        writes.begin(2, 200);
        assertFalse(writes.settled(9), "it was not made, as far as one can read");
        writes.begin(2, 300);
        assertTrue(writes.mayHaveLeft(2, 9, 100), "none was made");
        assertTrue(writes.mayHaveLeft(3, 12, 200));
        assertTrue(writes.mayHaveLeft(3, 12, 300));
        assertFalse(writes.mayHaveLeft(3, 12, 250), "nobody sent that");
        assertFalse(writes.mayHaveLeft(4, 12, 300), "another one has written since");
        assertFalse(writes.mayHaveLeft(2, 12, 100), "made anew");
    }

    @Test
    void shouldForgetWhatItHasSentWhenOneWasMade() {
        writes.begin(1, 100);
        assertFalse(writes.settled(9));
        assertFalse(writes.mayHaveLeft(2, 10, 100));
    }
}
