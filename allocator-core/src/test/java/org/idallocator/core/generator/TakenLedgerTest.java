package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Shows that the search finds what was taken twice. */
final class TakenLedgerTest {
    private final TakenLedger ledger = new TakenLedger(8);

    @Test
    void shouldFindNothingWhenTakesTouch() {
        add(5, 0, 0, 3);
        add(5, 0, 3, 5);
        add(6, 0, 0, 8);
        add(5, 1, 0, 8);

        assertEquals(0, ledger.overlaps());
        assertEquals(24, ledger.numbers());
        assertEquals(6, ledger.highestTick());
    }

    @Test
    void shouldFindOverlapWhenTakesShareANumber() {
        add(5, 1, 3, 5);
        add(5, 0, 0, 8);
        add(5, 1, 0, 4);

        assertEquals(1, ledger.overlaps());
    }

    @Test
    void shouldFindOverlapWhenTakeIsRepeated() {
        add(5, 0, 0, 1);
        add(5, 0, 0, 1);

        assertEquals(1, ledger.overlaps());
    }

    @Test
    void shouldFindOverlapWhenNumbersRunOnFromZero() {
        add(5, 0, 6, 4);
        add(5, 0, 1, 1);

        assertEquals(1, ledger.overlaps());
    }

    @Test
    void shouldFindOverlapWhenTicksDo() {
        TakenLedger ticks = new TakenLedger(1);
        ticks.add(new Taken(null, 10, 0, 0, 5, 0, false));
        TakenLedger others = new TakenLedger(1);
        others.add(new Taken(null, 14, 0, 0, 1, 0, false));

        ticks.addAll(others);

        assertEquals(1, ticks.overlaps());
        assertEquals(14, ticks.highestTick());
    }

    private void add(long tick, int toggle, int first, int count) {
        ledger.add(new Taken(null, tick, toggle, first, count, 0, false));
    }
}
