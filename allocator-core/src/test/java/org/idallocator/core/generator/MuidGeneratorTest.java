package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.Muid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MuidGeneratorTest {
    private static final long NOW_US = 1_700_000_000_000_000L;
    private static final long MEDALLION = Muid.MIN_MEDALLION + 5;

    private final ScriptedClock clock = new ScriptedClock(NOW_US);
    private final Fence fence = Fence.unbounded(clock, 0, MuidGenerator.UNIT.maxTick());
    private final MuidGenerator generator = new MuidGenerator(MEDALLION, fence);
    private final List<Muid> ids = new ArrayList<>();

    @Test
    void shouldBeOfATransactionEachWhenBatchIsDrawn() {
        assertEquals(Draw.all(500), draw(500, MuidGenerator.OBJECTS));

        assertEquals(
                IntStream.range(0, 500)
                        .mapToObj(i -> Muid.of(NOW_US - 499 + i, MEDALLION, 1))
                        .toList(),
                ids);
    }

    @Test
    void shouldWaitWhenBatchIsLargerThanWhatWentBy() {
        assertEquals(
                new Draw(MuidGenerator.MICROS_AT_ONCE, 1_000, Taken.Until.NEXT_TICK),
                draw(MuidGenerator.MICROS_AT_ONCE + 1, MuidGenerator.OBJECTS));
    }

    /** Waking a thread takes longer than a microsecond: who waited for each would spin, or lose most of them. */
    @ParameterizedTest
    @CsvSource({"0, 2000, 4", "900, 2000, 3", "0, 1, 8"})
    void shouldWaitForManyMicrosecondsAtATimeAndNoMoreThanItsPatience(int lateMicros, int maxWaitMillis, int waits) {
        List<Long> parks = new ArrayList<>();
        Clock late = new ParkingClock(clock, nanos -> {
            parks.add(nanos);
            clock.park(nanos + lateMicros * 1_000L);
        });
        Generator muids = new MuidGenerator(MEDALLION, Fence.unbounded(late, 0, MuidGenerator.UNIT.maxTick()));

        patient(muids, maxWaitMillis, late).next(6_000, (high, low) -> ids.add(new Muid(high, low)));

        assertEquals(waits, parks.size(), parks::toString);
        assertEquals(
                LongStream.range(0, 6_000).map(i -> NOW_US - 1_999 + i).boxed().toList(),
                ids.stream().map(Muid::timestampUs).toList());
    }

    @Test
    void shouldRefuseABatchWithoutPatienceWhenTheMicrosecondIsUsed() {
        patient(generator, 1, clock).next();

        assertThrows(
                OverCapacityException.class,
                () -> patient(generator, 0, clock).next(2, (high, low) -> ids.add(new Muid(high, low))));
    }

    @Test
    void shouldWaitForOneMicrosecondOnlyWhereOneServes() {
        patient(generator, 1, clock).next();

        patient(generator, 1, clock).with(MuidGenerator.TRANSACTION).next(3_000, (high, low) -> {});
        assertEquals(NOW_US + 1, clock.micros());

        patient(generator, 1, clock).next();
        assertEquals(NOW_US + 2, clock.micros());
    }

    private static IdGenerator<Muid> patient(Generator generator, int maxWaitMillis, Clock clock) {
        Duration maxWait = Duration.ofMillis(maxWaitMillis);
        return new IdGenerator<>(() -> generator, Muid::new, MuidGenerator.UNIT, maxWait, clock);
    }

    @Test
    void shouldStartWithItsOwnIdWhenTransaction() {
        assertEquals(Draw.all(3), draw(3, MuidGenerator.TRANSACTION));

        assertEquals(
                IntStream.rangeClosed(0, 3)
                        .mapToObj(offset -> Muid.of(NOW_US, MEDALLION, offset))
                        .toList(),
                ids);
        assertTrue(ids.get(0).isTransaction());
    }

    @Test
    void shouldTakeOneTickWhenTransactionIsOfAnySize() {
        assertEquals(Draw.all(Muid.MAX_OFFSET), draw(Muid.MAX_OFFSET, MuidGenerator.TRANSACTION));

        assertEquals(Muid.MAX_OFFSET + 1, ids.size());
        assertEquals(NOW_US, generator.close());
    }

    @Test
    void shouldIssueNothingOfTransactionWhenTickIsUsed() {
        draw(1, MuidGenerator.OBJECTS);
        ids.clear();

        assertEquals(new Draw(0, 1_000, Taken.Until.NEXT_TICK), draw(3, MuidGenerator.TRANSACTION));
        assertEquals(List.of(), ids);
    }

    @ParameterizedTest
    @CsvSource({"1048576, count must be 1..1048575: 1048576", "0, count must be 1 or more: 0"})
    void shouldTakeNothingWhenNoTransactionHasSoManyObjects(int count, String message) {
        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> draw(count, MuidGenerator.TRANSACTION));

        assertEquals(message, thrown.getMessage());
        assertEquals(List.of(), ids);
        assertEquals(-1, generator.close());
    }

    @ParameterizedTest
    @ValueSource(longs = {Muid.MIN_MEDALLION - 1, Muid.MAX_MEDALLION + 1})
    void shouldRefuseWhenMedallionIsOutsideVersion1(long medallion) {
        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> new MuidGenerator(medallion, fence));

        assertEquals("medallion must be 281474976710656..562949953421311: " + medallion, thrown.getMessage());
    }

    private Draw draw(int count, Variant variant) {
        return Draw.of(generator, count, variant, (high, low) -> ids.add(new Muid(high, low)));
    }
}
