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
        writes.begin();
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
        writes.begin();
        assertFalse(writes.isStrangers(9));
        assertFalse(writes.isStrangers(10));
        assertTrue(writes.settled(9));
    }

    @Test
    void shouldTellStrangersWhenTheWriteThatWasUnderWayIsReadBack() {
        assertFalse(writes.settled(9));
        writes.begin();
        assertFalse(writes.isStrangers(11));
        assertTrue(writes.settled(9), "the write was never made");
    }
}
