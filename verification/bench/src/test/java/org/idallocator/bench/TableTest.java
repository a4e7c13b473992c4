package org.idallocator.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TableTest {
    private static final Goal FAST = Goal.atLeast("answers", 1.7, "ready bytes");
    private static final Goal EVEN = Goal.atMost("99th percentile", 1.0, "ready bytes");

    private static Table table(boolean markdown) {
        return new Table(new Arguments(List.of(), markdown ? Map.of("markdown", "") : Map.of()), "one ID", "a second");
    }

    private static Table filled(boolean markdown) {
        Ratio ofRounds = Ratio.of(List.of(90.0, 80.0, 40.0), List.of(50.0, 40.0, 40.0));
        return table(markdown)
                .row("ready", "50")
                .row("sno", "90")
                .judged(FAST, ofRounds)
                .judged(EVEN, Ratio.of(3, 2))
                .row("gid", "10")
                .compared(Ratio.of(10, 50))
                .row("uid60", "1")
                .excused(FAST, Ratio.of(1, 50), "one slot holds 1");
    }

    @Test
    void shouldPrintRowsWithoutAGoalToo() {
        assertTrue(filled(false).text().lines().anyMatch(line -> line.matches("gid +10 +0\\.200 *")));
        assertEquals(5, filled(false).text().lines().count());
    }

    @Test
    void shouldPrintGoalsAndWhetherTheyAreMetAsMarkdown() {
        assertEquals("""
                | one ID | a second | ratio | lowest to highest | goal |  |
                | --- | ---: | ---: | ---: | ---: | ---: |
                | sno | 90 | 1.800; 1.500 | 1.00 to 2.00; - | >= 1.70 x ready bytes; <= 1.00 x ready bytes | met; MISSED |
                | uid60 | 1 | 0.020 |  | >= 1.70 x ready bytes | one slot holds 1 |
                """, filled(true).text());
    }
}
