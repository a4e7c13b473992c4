package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SnoPartitionTest {

    @ParameterizedTest
    @CsvSource({"256, 0, first must be 0..255: 256", "0, -1, second must be 0..255: -1"})
    void shouldSayWhatWhenRefusing(int first, int second, String message) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> SnoPartition.ofBytes(first, second))
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "65535, 255, 255", "256, 1, 0", "16650, 65, 10"})
    void shouldBeTheSameWhenGivenAsNumberOrBytes(int number, int first, int second) {
        SnoPartition partition = SnoPartition.ofBytes(first, second);

        assertEquals(SnoPartition.of(number), partition);
        assertEquals(number, partition.number());
        assertEquals(first, partition.first());
        assertEquals(second, partition.second());
        assertArrayEquals(new byte[] {(byte) first, (byte) second}, partition.toBytes());
    }
}
