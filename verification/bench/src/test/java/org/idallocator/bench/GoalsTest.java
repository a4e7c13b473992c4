package org.idallocator.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class GoalsTest {

    @ParameterizedTest
    @MethodSource("org.idallocator.bench.Goals#commands")
    void shouldBeOnThePageWithTheirCommandAndAPlaceForFigures(String command) throws IOException {
        String page = Files.readString(Path.of("..", "..", "docs", "speed.md"));

        for (String part : new String[] {
            "bench.jar " + command + " --quick\n",
            "\n" + Goals.table(command, true),
            "\n<!-- figures of " + command + ": bench.jar " + command + " --markdown"
        }) {
            assertTrue(page.contains(part), () -> "docs/speed.md has not: " + part);
        }
    }

    @Test
    void shouldBeMetAtTheLimitAndMissedBeyond() {
        Goal most = Goal.atMost("one", 1.15, "other");
        Goal least = Goal.atLeast("one", 1.7, "other");

        assertTrue(most.isMet(1.15));
        assertFalse(most.isMet(1.1501));
        assertTrue(least.isMet(1.7));
        assertFalse(least.isMet(1.6999));
    }

    @Test
    void shouldBeMissedWhenNothingWasMeasured() {
        assertFalse(Goal.atMost("one", 1, "other").isMet(Double.NaN));
        assertFalse(Goal.atLeast("one", 1, "other").isMet(Double.NaN));
    }

    @Test
    void shouldHaveBenchmarksOfTwoThreadsMeasuredOnBothSides() {
        assertEquals(2, Goals.threads("Drawing.sno").max().getAsInt());
        assertEquals(2, Goals.threads("Drawing.clockAndSwap").max().getAsInt());
        assertEquals(2, Goals.threads("Drawing.swapAndValue").max().getAsInt());
        assertEquals(4, Goals.threads("InTick.snoBefore").max().getAsInt());
        assertEquals(1, Goals.threads("Writing.sno").max().getAsInt());
    }

    @Test
    void shouldCompareGarbageWithTheValueItself() {
        assertEquals(1.0, Goals.garbage(32).median());
        assertTrue(Goals.ofGarbage("Reading.sno").get(0).isMet(1.0));
        assertTrue(Goals.ofGarbage("Reading.uuid").isEmpty());
    }
}
