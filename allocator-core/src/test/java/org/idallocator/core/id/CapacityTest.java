package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The numbers that stand on the pages of the IDs. */
final class CapacityTest {

    static Stream<Figure> figures() {
        return Stream.of(
                new Figure("sno in a tick and partition", 65_536, Sno.MAX_SEQUENCE + 1L),
                new Figure("sno partitions", 65_536, Sno.MAX_PARTITION + 1L),
                new Figure("sno in a second and partition", 16_384_000, (Sno.MAX_SEQUENCE + 1L) * 1_000 / Sno.UNIT_MS),
                new Figure("muid medallions", 1L << 48, Muid.MAX_MEDALLION - Muid.MIN_MEDALLION + 1),
                new Figure("muid objects in a transaction", 1_048_575, Muid.MAX_OFFSET),
                new Figure("eightbyte in a tick and generator", 64, EightByteId.MAX_SEQUENCE + 1L),
                new Figure("eightbyte in a second and generator", 64_000, (EightByteId.MAX_SEQUENCE + 1L) * 1_000),
                new Figure("eightbyte generators", 1_024, generators()),
                new Figure("eightbyte in a second", 65_536_000, 64_000 * generators()),
                new Figure("uid60 in a tick and worker", 1_024, Uid60.MAX_SEQUENCE + 1L),
                new Figure("uid60 workers", 512, Uid60.MAX_WORKER + 1L),
                new Figure("uid60 in a second", 524_288, (Uid60.MAX_SEQUENCE + 1L) * (Uid60.MAX_WORKER + 1)),
                new Figure("uid60 guesses", 512, Uid60.MAX_RANDOM + 1L));
    }

    private static long generators() {
        return (EightByteId.MAX_GENERATOR + 1L) * (EightByteId.MAX_CLUSTER + 1);
    }

    static Stream<Last> lasts() {
        return Stream.of(
                new Last("2079-09-07T15:47:35.548Z", Sno.of(Sno.MAX_TIMESTAMP_UNITS, 0, 0, 0, 0)),
                new Last("2079-09-07T15:47:35.548Z", Sno.at(Instant.parse("2079-09-07T15:47:35.551Z"), 0, 0, 0)),
                new Last("4253-05-31T22:20:37.927935Z", Muid.of(Muid.MAX_TIMESTAMP_US, Muid.MIN_MEDALLION, 0)),
                new Last("2109-05-15T07:35:11.103Z", EightByteId.of(EightByteId.MAX_TIMESTAMP_MS, 0, 0, 0)),
                new Last("2154-04-07T06:28:15Z", Uid60.of(Uid60.MAX_TIMESTAMP_S, 0, 0, 0)),
                new Last("+10889-08-02T05:31:50.655Z", VolumeId.of(Gid.MAX_TIMESTAMP_MS, 0)));
    }

    @ParameterizedTest
    @MethodSource("figures")
    void shouldHoldWhatItsPageSays(Figure figure) {
        assertEquals(figure.page(), figure.calculated());
    }

    @ParameterizedTest
    @MethodSource("lasts")
    void shouldLastUntilWhenItsPageSays(Last last) {
        assertEquals(Instant.parse(last.page()), last.id().time());
    }

    /** The pairs among a million IDs, each of which is equal with a chance of 2^-64. */
    @Test
    void shouldCollideAsRarelyAsItsPageSaysWhenRandom() {
        double chance = 1e6 * (1e6 - 1) / 2 / Math.pow(2, Gid.RANDOM_BITS);

        assertEquals(3e-8, chance, 0.5e-8);
    }

    private record Figure(String what, long page, long calculated) {}

    private record Last(String page, Id id) {}
}
