package org.idallocator.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RatioTest {

    @Test
    void shouldCompareWithinRoundsWhenTheMachineBecomesSlower() {
        List<Double> figures = List.of(10.0, 60.0, 200.0);
        List<Double> of = List.of(10.0, 20.0, 100.0);

        assertEquals(new Ratio(2.0, 1.0, 3.0), Ratio.of(figures, of));
        assertEquals(3, new Figures(figures).median() / new Figures(of).median()); // which says less
    }

    @Test
    void shouldGiveSmallestFigureThatThePartDoesNotExceed() {
        Figures figures = new Figures(List.of(4.0, 1.0, 3.0, 2.0));
        assertEquals(2, figures.median());
        assertEquals(4, figures.quantile(0.99));
        assertThrows(IllegalStateException.class, () -> new Figures(List.of()));
    }
}
