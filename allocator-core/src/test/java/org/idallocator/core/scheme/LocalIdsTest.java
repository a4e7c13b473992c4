package org.idallocator.core.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.generator.GidGenerator;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.generator.SnoGenerator;
import org.idallocator.core.generator.SnoRange;
import org.idallocator.core.generator.SnoSnapshot;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdFormatException;
import org.idallocator.core.id.LogId;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.SegmentId;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LocalIdsTest {
    private static final SnoPartition SEVEN = SnoPartition.of(7);
    private static final SnoRange LOWER = new SnoRange(0, 99);

    private final ScriptedClock clock = new ScriptedClock(1_750_000_000_000_000L);
    private final LocalIds local = new LocalIds(Duration.ofSeconds(2), clock);

    // --- What each generator gives.

    @Test
    void shouldBeOfItsSlotWhenDrawn() {
        Sno sno = local.sno(SEVEN, new SnoRange(50, 99)).next();
        EightByteId eightbyte = local.eightbyte(63, 15).next();

        assertEquals(List.of(7, 50), List.of(sno.partition(), sno.sequence()));
        assertEquals(List.of(63, 15), List.of(eightbyte.generator(), eightbyte.cluster()));
        assertEquals(511, local.uid60(511).next().worker());
        assertEquals(Muid.MAX_MEDALLION, local.muid(Muid.MAX_MEDALLION).next().medallion());
        assertTrue(local.muid().next().isVersion1());
        assertEquals(local.muid().next().medallion(), local.muid().next().medallion());
        LocalIds other = new LocalIds(Duration.ofSeconds(2), clock);
        assertNotEquals(local.muid().next().medallion(), other.muid().next().medallion());
    }

    @Test
    void shouldGiveOneAMillisecondWhenEightByteIsToSpread() {
        IdGenerator<EightByteId> ids = new LocalIds(Duration.ZERO, clock).eightbyteOnePerMillisecond(5, 0);

        assertEquals(0, ids.next().sequence());
        assertThrows(OverCapacityException.class, ids::next);
    }

    @Test
    void shouldBeOfItsClassWhenGidOfOneType() {
        VolumeId volume = local.volumes().next();
        LogId log = local.logs().next();
        SegmentId segment = local.segments().next();

        assertEquals(
                List.of(GidType.VOLUME, GidType.LOG, GidType.SEGMENT),
                List.of(volume.type(), log.type(), segment.type()));
        assertEquals(GidType.LOG, local.gid(GidType.LOG).next().type());
        assertThrows(
                IdFormatException.class,
                () -> local.volumes().with(GidGenerator.type(GidType.LOG)).next(),
                "a log is no volume");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        muid      | 5   | medallion must be 281474976710656..562949953421311: 5
        eightbyte | 64  | generator must be 0..63: 64
        eightbyte | -1  | generator must be 0..63: -1
        cluster   | 16  | cluster must be 0..15: 16
        uid60     | 512 | worker must be 0..511: 512
        """)
    void shouldRefuseWhenSlotIsNone(String scheme, int number, String message) {
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> open(scheme, number));

        assertEquals(message, thrown.getMessage());
    }

    private void open(String scheme, int number) {
        switch (scheme) {
            case "muid" -> local.muid(number);
            case "eightbyte" -> local.eightbyte(number, 0);
            case "cluster" -> local.eightbyte(0, number);
            default -> local.uid60(number);
        }
    }

    // --- One generator for a slot.

    @Test
    void shouldRepeatNothingWhenAskedForASlotAgain() {
        List<Supplier<IdGenerator<? extends Id>>> slots = List.of(
                () -> local.sno(SEVEN, LOWER),
                () -> local.muid(Muid.MIN_MEDALLION),
                () -> local.eightbyte(1, 2),
                () -> local.eightbyteOnePerMillisecond(2, 2),
                () -> local.uid60(3),
                local::volumes);
        for (Supplier<IdGenerator<? extends Id>> slot : slots) {
            Set<Id> ids = new HashSet<>();
            for (int i = 0; i < 50; i++) {
                Id id = slot.get().next();
                assertTrue(ids.add(id), id::toString);
            }
        }
    }

    // --- By the type of the IDs.

    @Test
    void shouldBeOfTheSlotsOfThatNumberWhenAskedForATypeOfId() {
        IdGenerators generators = local.generators(7);

        Sno sno = generators.of(Sno.class).next();
        EightByteId eightbyte = generators.of(EightByteId.class).next();
        assertEquals(List.of(7, 0), List.of(sno.partition(), sno.sequence()));
        assertEquals(List.of(7, 0), List.of(eightbyte.generator(), eightbyte.cluster()));
        assertEquals(Muid.MIN_MEDALLION + 7, generators.of(Muid.class).next().medallion());
        assertEquals(7, generators.of(Uid60.class).next().worker());
        assertEquals(GidType.VOLUME, generators.of(Gid.class).next().type());
        assertEquals(GidType.VOLUME, generators.of(VolumeId.class).next().type());
        assertEquals(GidType.LOG, generators.of(LogId.class).next().type());
        assertEquals(GidType.SEGMENT, generators.of(SegmentId.class).next().type());
    }

    @Test
    void shouldRepeatNothingWhenASlotIsAskedForByTypeAndByNumber() {
        List<Sno> drawn = List.of(
                local.generators(7).of(Sno.class).next(),
                local.sno(SEVEN, SnoRange.ALL).next(),
                local.generators(7).of(Sno.class).next());

        assertEquals(List.of(0, 1, 2), drawn.stream().map(Sno::sequence).toList());
    }

    @Test
    void shouldTakeNoSlotWhenItsTypeIsNotAskedFor() {
        local.generators(7).of(Uid60.class).next();

        assertEquals(7, local.sno(SEVEN, LOWER).next().partition());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_536})
    void shouldRefuseWhenNoSchemeHasTheSlot(int slot) {
        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> local.generators(slot));

        assertEquals("slot must be 0..65535: " + slot, thrown.getMessage());
    }

    @Test
    void shouldRefuseATypeWhenItsSchemeHasNoSuchSlot() {
        IdGenerators generators = local.generators(512);

        IllegalArgumentException eightbyte =
                assertThrows(IllegalArgumentException.class, () -> generators.of(EightByteId.class));
        IllegalArgumentException uid60 = assertThrows(IllegalArgumentException.class, () -> generators.of(Uid60.class));

        assertEquals("generator must be 0..63: 512", eightbyte.getMessage());
        assertEquals("worker must be 0..511: 512", uid60.getMessage());
        assertEquals(65_535, local.generators(65_535).of(Sno.class).next().partition());
    }

    @Test
    void shouldSayWhichTypesThereAreWhenNoSchemeDrawsTheOneThatIsAskedFor() {
        IllegalArgumentException thrown = assertThrows(
                IllegalArgumentException.class, () -> local.generators(7).of(Id.class));

        assertEquals(
                "no scheme draws IDs of the type org.idallocator.core.id.Id; those drawn are EightByteId, Gid, LogId,"
                        + " Muid, SegmentId, Sno, Uid60, VolumeId",
                thrown.getMessage());
    }

    // --- After a restart.

    static Stream<Named<Function<LocalIds, IdGenerator<? extends Id>>>> slots() {
        return Stream.of(
                Named.of("sno", ids -> ids.sno(SEVEN, LOWER)),
                Named.of("muid", ids -> ids.muid(Muid.MIN_MEDALLION)),
                Named.of("eightbyte", ids -> ids.eightbyte(1, 2)),
                Named.of("eightbyte, one a millisecond", ids -> ids.eightbyteOnePerMillisecond(1, 2)),
                Named.of("uid60", ids -> ids.uid60(3)));
    }

    /** A batch of muids takes up to 2,000 microseconds back from now, which include those of the earlier instance. */
    @Test
    void shouldRepeatNothingWhenMuidsAreDrawnRightAfterARestart() {
        Set<Muid> ids = new HashSet<>();
        local.muid(Muid.MIN_MEDALLION).next(500, (high, low) -> ids.add(new Muid(high, low)));
        clock.advance(Duration.ofNanos(100_000));

        IdGenerator<Muid> restarted = again().muid(Muid.MIN_MEDALLION);
        restarted.next(1_000, (high, low) -> ids.add(new Muid(high, low)));

        assertEquals(1_500, ids.size());
    }

    /** The slot is asked for as soon as the clock is past the last ID's tick, and the clock may do anything then. */
    @ParameterizedTest
    @MethodSource("slots")
    void shouldRepeatNothingWhenClockStepsBackRightAfterARestart(Function<LocalIds, IdGenerator<? extends Id>> slot) {
        Id last = slot.apply(local).next();
        long then = clock.micros();
        clock.advance(Duration.ofSeconds(1));

        IdGenerator<? extends Id> restarted = slot.apply(again());
        clock.setMicros(then);
        Id next = restarted.next();

        assertNotEquals(last, next);
        assertEquals(last.time().plusSeconds(1), next.time(), "the tick of opening, waited for");
    }

    private LocalIds again() {
        return new LocalIds(Duration.ofSeconds(2), clock);
    }

    @ParameterizedTest
    @CsvSource({"0, 65535", "99, 102", "0, 98", "1, 99", "40, 50"})
    void shouldRefuseWhenSnoRangesOverlap(int min, int max) {
        local.sno(SEVEN, LOWER);

        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> local.sno(SEVEN, new SnoRange(min, max)));

        assertEquals(
                "partition 7 has a generator for 0..99 already, which overlaps " + min + ".." + max,
                thrown.getMessage());
    }

    @Test
    void shouldRefuseWhenEightByteServesTheOtherWay() {
        local.eightbyte(1, 2);
        local.eightbyteOnePerMillisecond(3, 4);

        IllegalArgumentException one =
                assertThrows(IllegalArgumentException.class, () -> local.eightbyteOnePerMillisecond(1, 2));
        IllegalArgumentException more = assertThrows(IllegalArgumentException.class, () -> local.eightbyte(3, 4));

        assertEquals("generator 1 of eightbyte/02 draws more than one ID a millisecond already", one.getMessage());
        assertEquals("generator 3 of eightbyte/04 draws one ID a millisecond already", more.getMessage());
    }

    @Test
    void shouldGoOnWhenRestoredGeneratorTakesThePlaceOfAClosedOne() {
        SnoGenerator ours = SnoGenerator.restore(SnoSnapshot.fresh(SEVEN, LOWER), clock);
        Sno first = local.sno(ours).next();
        ours.close();

        Sno second = local.sno(SnoGenerator.restore(ours.snapshot(), clock)).next();
        Sno third = local.sno(SEVEN, LOWER).next();

        assertEquals(List.of(0, 1, 2), List.of(first.sequence(), second.sequence(), third.sequence()));
    }

    @Test
    void shouldBeOneForTheProgramWhenOnTheMachinesClock() {
        assertSame(LocalIds.onSystemClock(), LocalIds.onSystemClock());
        assertNotEquals(
                LocalIds.onSystemClock().uid60(9).next(),
                LocalIds.onSystemClock().uid60(9).next());
    }
}
