package org.idallocator.core.id;

import static org.idallocator.core.id.Refusal.field;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class SnoPartitionTest {

    static Stream<Refusal> refusals() {
        return Stream.of(
                field("partition must be 0..65535: 65536", () -> SnoPartition.of(65_536)),
                field("partition must be 0..65535: -1", () -> new SnoPartition(-1)),
                field("first must be 0..255: 256", () -> SnoPartition.ofBytes(256, 0)),
                field("first must be 0..255: -1", () -> SnoPartition.ofBytes(-1, 0)),
                field("second must be 0..255: 256", () -> SnoPartition.ofBytes(0, 256)),
                field("second must be 0..255: -1", () -> SnoPartition.ofBytes(0, (byte) 255)));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void shouldSayWhatWhenRefusing(Refusal refusal) {
        refusal.check();
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "65535, 255, 255", "255, 0, 255", "256, 1, 0", "16650, 65, 10"})
    void shouldBeTheSameWhenGivenAsNumberOrBytes(int number, int first, int second) {
        SnoPartition partition = SnoPartition.ofBytes(first, second);

        assertEquals(SnoPartition.of(number), partition);
        assertEquals(number, partition.number());
        assertEquals(first, partition.first());
        assertEquals(second, partition.second());
        assertArrayEquals(new byte[] {(byte) first, (byte) second}, partition.toBytes());
    }

    @Test
    void shouldBeBytesSixAndSevenWhenInSno() {
        byte[] id =
                Sno.ZERO.withPartition(SnoPartition.ofBytes('A', 10).number()).toBytes();

        assertArrayEquals(new byte[] {0, 0, 0, 0, 0, 0, 'A', 10, 0, 0}, id);
    }
}
