package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.idallocator.core.clock.TickUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SequenceShapeTest {

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 2", "4, 3", "64, 7", "1024, 11", "65535, 16", "65536, 17"})
    void shouldHoldFullTickWhenCountingUsed(int capacity, int bits) {
        assertEquals(bits, Shapes.plain(capacity).usedBits());
        assertEquals(0, Shapes.plain(capacity).startBits());
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 1", "3, 2", "4, 2", "5, 3", "64, 6", "1024, 10"})
    void shouldHoldAnyNumberWhenStartContinues(int capacity, int bits) {
        assertEquals(bits, Shapes.continuing(capacity).startBits());
    }

    @ParameterizedTest
    @CsvSource({"40, 0", "40, -1", "40, 65537", "46, 65536", "62, 1"})
    void shouldRefuseWhenWordIsTooNarrow(int tickBits, int capacity) {
        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class,
                () -> new SequenceShape(new TickUnit(0, 1, tickBits), capacity, false, false, 1));

        assertEquals(
                "tick, toggle, start and used do not fit 63 bits: " + tickBits + " bits, capacity " + capacity,
                thrown.getMessage());
    }

    @Test
    void shouldFitWhenAllBitsAreUsed() {
        assertDoesNotThrow(() -> new SequenceShape(new TickUnit(0, 1, 45), 65_536, false, true, 1));
        assertDoesNotThrow(() -> new SequenceShape(new TickUnit(0, 1, 61), 1, false, false, 1_000));
    }

    @ParameterizedTest
    @CsvSource({"2, false", "1, true"})
    void shouldRefuseSpanWhenNotPlainAndOfOne(int capacity, boolean tickTocks) {
        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class,
                () -> new SequenceShape(Shapes.MICROS, capacity, false, tickTocks, 1_000));

        assertEquals("only a plain sequence of capacity 1 spans ticks: 1000", thrown.getMessage());
    }
}
