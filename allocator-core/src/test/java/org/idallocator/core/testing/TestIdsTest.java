package org.idallocator.core.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.GidGenerator;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.IdGenerators;
import org.idallocator.core.generator.MuidTransaction;
import org.idallocator.core.generator.SnoGenerator;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.LogId;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.SegmentId;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;
import org.idallocator.core.scheme.GidScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class TestIdsTest {
    private static final SnoScheme SNO = new SnoScheme(0, 1, 1);
    private static final Uid60Scheme UID60 = new Uid60Scheme(Uid60Scheme.LONGEST_TENURE);
    private static final Sno ONE = Sno.parse("9q7qmwq2222dhi22");
    private static final Sno TWO = Sno.parse("8vlcf42gv94lg222");

    // --- Counting.

    @ParameterizedTest
    @CsvSource({
        "sno, 9d5ve82222222222, 9d5ve82222222223",
        "muid, 06474846204000100000000000000001, 06474846204001100000000000000001",
        "eightbyte, 00155b6ed9800000, 00155b6ed9810000",
        "uid60, AW59cAAAAA, AW59cAAAIB",
        "gid, 5rMJptRSJK-2dVseX433Zwhy, 5rMJptRSJK-2dVseX433Zwhz"
    })
    void shouldGiveTheSameIdsInEachRun(String scheme, String first, String second) {
        assertEquals(List.of(first, second), drawTwo(Schemes.of(scheme).get(0)));
        assertEquals(List.of(first, second), drawTwo(Schemes.of(scheme).get(0)));
    }

    private static <T extends Id> List<String> drawTwo(Scheme<T> scheme) {
        IdGenerator<T> counting = TestIds.counting(scheme);
        return List.of(counting.next().toString(), counting.next().toString());
    }

    @Test
    void shouldMoveOnToTheNextTickWhenOneIsUsedUp() {
        List<Uid60> uid60s = TestIds.counting(UID60).next(1_025);

        assertEquals(List.of(TestIds.START, TestIds.START.plusSeconds(1)), distinctTimes(uid60s));
        assertEquals(TestIds.START, uid60s.get(1_023).time());
        assertEquals(
                List.of(0, 511, 0, 0),
                List.of(
                        uid60s.get(0).random(),
                        uid60s.get(511).random(),
                        uid60s.get(512).random(),
                        uid60s.get(1_024).random()));
        assertEquals(
                List.of(TestIds.START, TestIds.START.plusMillis(4)),
                distinctTimes(TestIds.counting(SNO).next(65_537)));
    }

    private static List<Instant> distinctTimes(List<? extends Id> ids) {
        return ids.stream().map(Id::time).distinct().toList();
    }

    @Test
    void shouldDrawVariantsAndTransactions() {
        MuidTransaction transaction = MuidTransaction.begin(TestIds.counting(new MuidScheme()));
        IdGenerator<Gid> gids = TestIds.counting(new GidScheme(GidType.SEGMENT));

        assertEquals(
                7, TestIds.counting(SNO).with(SnoGenerator.metabyte(7)).next().metabyte());
        assertEquals(Muid.of(1_767_225_600_000_000L, Muid.MIN_MEDALLION, 0), transaction.id());
        assertEquals(Gid.of(GidType.SEGMENT, TestIds.START.toEpochMilli(), 0), gids.next());
        assertEquals(
                Gid.of(GidType.LOG, TestIds.START.toEpochMilli(), 1),
                gids.with(GidGenerator.type(GidType.LOG)).next());
    }

    @Test
    void shouldRepeatNothingWhenManyThreadsDraw() {
        IdGenerator<Uid60> counting = TestIds.counting(UID60);

        Set<Uid60> drawn = IntStream.range(0, 4_000)
                .parallel()
                .mapToObj(i -> counting.next())
                .collect(Collectors.toSet());

        assertEquals(4_000, drawn.size());
    }

    /** Works, is fenced, works again. */
    @ParameterizedTest
    @CsvSource({"sno", "muid", "eightbyte", "uid60", "gid"})
    void shouldGoOnWhereItWasWhenAnOutageIsOver(String scheme) {
        shouldGoOnWhereItWas(Schemes.of(scheme).get(0));
    }

    private static <T extends Id> void shouldGoOnWhereItWas(Scheme<T> scheme) {
        AtomicReference<Optional<FenceReason>> state = new AtomicReference<>(Optional.empty());
        IdGenerator<T> changing = TestIds.counting(scheme, state::get);
        IdGenerator<T> undisturbed = TestIds.counting(scheme);

        assertEquals(undisturbed.next(), changing.next());
        state.set(Optional.of(FenceReason.DRAINED));
        assertEquals(FenceReason.DRAINED, refusal(changing).reason());
        assertThrows(FencedException.class, () -> changing.next(10));
        assertFalse(changing.poll((high, low) -> {}));
        state.set(Optional.of(FenceReason.UNREACHABLE));
        assertEquals(FenceReason.UNREACHABLE, refusal(changing).reason());
        state.set(Optional.empty());
        assertEquals(undisturbed.next(10), changing.next(10));
    }

    private static FencedException refusal(IdGenerator<? extends Id> generator) {
        return assertThrows(FencedException.class, generator::next);
    }

    // --- Given.

    @Test
    void shouldGiveTheGivenIdsInTheirOrderWhateverTheVariant() {
        assertEquals(List.of(ONE, TWO), TestIds.of(ONE, TWO).next(2));
        assertEquals(ONE, TestIds.of(ONE, TWO).with(SnoGenerator.metabyte(7)).next());
        Muid muid = Muid.of(7, Muid.MIN_MEDALLION, 3);
        assertEquals(muid.transaction(), MuidTransaction.begin(TestIds.of(muid)).id());
        VolumeId volume = VolumeId.of(7, 3);
        assertEquals(volume, TestIds.of(volume).next());
    }

    /** No clock counts: those that are given may be of any time. */
    @Test
    void shouldPassOverGivenIdsThatDoNotSortAfterOneThatWasSeen() {
        Sno last = Sno.last(Instant.MAX);
        IdGenerator<Sno> given = TestIds.of(TWO, ONE, TWO, last);

        assertEquals(ONE, given.after(TWO).next());
        assertEquals(last, given.after(ONE).next());
        LogId log = LogId.last(Instant.ofEpochMilli(Gid.MAX_TIMESTAMP_MS));
        assertEquals(log, TestIds.of(log).after(LogId.first(Instant.EPOCH)).next());
        assertThrows(
                IllegalStateException.class, () -> TestIds.of(log).after(log).next());
    }

    @Test
    void shouldTakeNothingWhenMoreIsDrawnThanIsLeft() {
        IdGenerator<Sno> given = TestIds.of(ONE, TWO);

        assertEquals(ONE, given.next());
        assertEquals("the test gave too few IDs: 1 of 2 are left, 2 are drawn", tooMany(() -> given.next(2)));
        assertEquals(TWO, given.next());
        assertEquals("the test gave too few IDs: 0 of 2 are left, 1 are drawn", tooMany(given::next));
    }

    private static String tooMany(Runnable draw) {
        return String.valueOf(
                assertThrows(IllegalStateException.class, draw::run).getMessage());
    }

    @Test
    void shouldGiveEachIdOnceWhenManyThreadsDraw() {
        Sno[] ids = TestIds.counting(SNO).next(1_000).toArray(Sno[]::new);
        IdGenerator<Sno> given = TestIds.of(ids);

        Set<Sno> drawn = IntStream.range(0, ids.length)
                .parallel()
                .mapToObj(i -> given.next())
                .collect(Collectors.toSet());

        assertEquals(Set.copyOf(Arrays.asList(ids)), drawn);
    }

    // --- Fenced.

    @ParameterizedTest
    @EnumSource
    void shouldSayWhyWhenFenced(FenceReason reason) {
        FencedException thrown = refusal(TestIds.fenced(reason));

        assertEquals(reason, thrown.reason());
        assertEquals(reason.sentence() + " (a test says so)", thrown.getMessage());
        assertEquals(Duration.ofSeconds(1), thrown.retryAfter());
    }

    // --- All.

    @Test
    void shouldCountOnWhoeverAsksForATypeAmongAll() {
        IdGenerators all = TestIds.all();

        assertEquals("9d5ve82222222222", all.of(Sno.class).next().toString());
        assertEquals("9d5ve82222222223", all.of(Sno.class).next().toString());
        assertEquals(TestIds.START, all.of(Muid.class).next().time());
        assertEquals(0, all.of(EightByteId.class).next().sequence());
        assertEquals(0, all.of(Uid60.class).next().sequence());
        assertEquals(
                Gid.of(GidType.VOLUME, TestIds.START.toEpochMilli(), 0),
                all.of(Gid.class).next());
        assertEquals(
                VolumeId.of(TestIds.START.toEpochMilli(), 1),
                all.of(VolumeId.class).next());
        assertEquals(
                LogId.of(TestIds.START.toEpochMilli(), 2), all.of(LogId.class).next());
        assertEquals(
                SegmentId.of(TestIds.START.toEpochMilli(), 3),
                all.of(SegmentId.class).next());
    }
}
