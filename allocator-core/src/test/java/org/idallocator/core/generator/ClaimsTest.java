package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The checker itself: it must see what it is there to see. */
final class ClaimsTest {
    private final Claims claims = new Claims(8);

    @Test
    void shouldFindNothingWhenClaimsTouch() {
        add(5, 0, 0, 3);
        add(5, 0, 3, 5);
        add(6, 0, 0, 8);
        add(5, 1, 0, 8);

        assertEquals(0, claims.overlaps());
        assertEquals(24, claims.places());
        assertEquals(6, claims.highestTick());
    }

    @Test
    void shouldFindOverlapWhenClaimsShareAPlace() {
        add(5, 1, 3, 5);
        add(5, 0, 0, 8);
        add(5, 1, 0, 4);

        assertEquals(1, claims.overlaps());
    }

    @Test
    void shouldFindOverlapWhenClaimIsRepeated() {
        add(5, 0, 0, 1);
        add(5, 0, 0, 1);

        assertEquals(1, claims.overlaps());
    }

    @Test
    void shouldFindOverlapWhenPlacesRunOnFromZero() {
        add(5, 0, 6, 4);
        add(5, 0, 1, 1);

        assertEquals(1, claims.overlaps());
    }

    @Test
    void shouldFindOverlapWhenTicksDo() {
        Claims ticks = new Claims(1);
        ticks.add(new Claim(10, 0, 0, 5, 0, false));
        Claims others = new Claims(1);
        others.add(new Claim(14, 0, 0, 1, 0, false));

        ticks.addAll(others);

        assertEquals(1, ticks.overlaps());
        assertEquals(14, ticks.highestTick());
    }

    private void add(long tick, int toggle, int first, int count) {
        claims.add(new Claim(tick, toggle, first, count, 0, false));
    }
}
