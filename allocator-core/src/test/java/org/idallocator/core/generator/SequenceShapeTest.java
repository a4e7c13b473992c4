package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
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
                () -> sequence(SequenceShape.plain(new TickUnit(0, 1, tickBits), capacity)));

        String message = String.valueOf(thrown.getMessage());
        assertTrue(message.startsWith("tick, toggle, start and used do not fit 63 bits: "), message);
    }

    private static TickSequence sequence(SequenceShape shape) {
        return new TickSequence(shape, Fence.unbounded(new ScriptedClock(0), 0, 1), 0);
    }

    @Test
    void shouldFitWhenAllBitsAreUsed() {
        assertDoesNotThrow(() -> sequence(SequenceShape.tickTocking(new TickUnit(0, 1, 45), 65_536)));
        assertDoesNotThrow(() -> sequence(SequenceShape.spanning(new TickUnit(0, 1, 61), 1_000)));
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
