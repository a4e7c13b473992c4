package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.id.VolumeId;
import org.idallocator.core.scheme.LocalIds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The order of IDs that are drawn after one that was seen. How long that takes is {@link IdsAfterWaitTest}'s. */
final class IdsAfterTest {
    private static final long NOW_MICROS = 1_767_225_600_000_000L;
    private static final long TICK_MICROS = SnoGenerator.UNIT.tickMicros();
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ScriptedClock clock = new ScriptedClock(NOW_MICROS);
    private final IdGenerator<Sno> snos = snos(clock, 7);
    private final LocalIds local = new LocalIds(PATIENCE, clock);

    @Test
    void shouldGiveTheNextIdOfTheSlotAtOnceWhenThatSortsAfter() {
        Sno seen = snos.next();

        Sno next = snos.after(seen).next();

        assertEquals(Sno.of(seen.timestampUnits(), 0, 0, 7, 1), next);
        assertEquals(NOW_MICROS, clock.micros(), "nobody waited");
    }

    @Test
    void shouldTakeTheNextTickWhenTheIdOfAnotherSlotIsGreater() {
        Sno seen = lastOfNow();

        Sno next = snos.after(seen).next();

        assertEquals(Sno.of(seen.timestampUnits() + 1, 0, 0, 7, 0), next);
        assertEquals(NOW_MICROS + TICK_MICROS, clock.micros());
    }

    @Test
    void shouldTakeTheNextTickWhenTheMetabyteSortsBefore() {
        Sno seen = snos.with(SnoGenerator.metabyte(200)).next();

        Sno next = snos.with(SnoGenerator.metabyte(1)).after(seen).next();

        assertEquals(Sno.of(seen.timestampUnits() + 1, 0, 1, 7, 0), next);
    }

    /** Another root's ID, say: the one that was seen does not sort after itself. */
    @Test
    void shouldGiveNoIdThatIsEqual() {
        Sno seen = snos(new ScriptedClock(NOW_MICROS), 7).next();

        Sno next = snos.after(seen).next();

        assertEquals(Sno.of(seen.timestampUnits() + 1, 0, 0, 7, 0), next);
    }

    @Test
    void shouldGiveNobodyWhatDoesNotSortAfter() {
        List<IdGenerator<Sno>> drawing = new ArrayList<>();
        List<Sno> others = new ArrayList<>();
        Clock waiting = new ParkingClock(clock, nanos -> {
            others.add(drawing.get(0).next());
            clock.park(nanos);
        });
        drawing.add(snos(waiting, 7));

        Sno next = drawing.get(0).after(lastOfNow()).next();

        assertEquals(List.of(Sno.of(next.timestampUnits() - 1, 0, 0, 7, 1)), others, "number 0 was dropped");
    }

    /** In the tick to which the clock was put back, the toggled bit sorts before. */
    @Test
    void shouldWaitUntilTheSeenTickIsReachedWhenTheClockWasPutBack() {
        clock.advance(Duration.ofSeconds(1));
        Sno seen = snos.next();
        clock.setMicros(clock.micros() - 100_000);
        Sno toggled = snos.next();

        Sno next = snos.after(seen).next();

        assertTrue(toggled.compareTo(seen) < 0);
        assertTrue(next.compareTo(seen) > 0);
        assertEquals(NOW_MICROS + 1_000_000, clock.micros());
    }

    @Test
    void shouldRiseWhenEachIdIsDrawnAfterTheLastOnSeveralSlots() {
        IdGenerator<Sno> several = snos(clock, 5, 900, 3, 65_535);
        Sno last = several.next();

        for (int i = 0; i < 5_000; i++) {
            Sno next = several.after(last).next();
            assertTrue(next.compareTo(last) > 0, () -> next + " is given after a greater one");
            last = next;
        }
    }

    @Test
    void shouldRiseWhenThreadsDrawEachIdAfterTheirLast() throws Exception {
        int threads = 4;
        IdGenerator<Sno> shared = snos(Clock.system(), 11, 12);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Sno> all = new ArrayList<>();
        try {
            List<Future<List<Sno>>> chains = Stream.generate(() -> pool.submit(() -> chain(shared, 500)))
                    .limit(threads)
                    .toList();
            for (Future<List<Sno>> chain : chains) {
                List<Sno> ids = chain.get();
                assertEquals(ids.stream().sorted().toList(), ids);
                all.addAll(ids);
            }
        } finally {
            pool.shutdownNow();
        }

        assertEquals(threads * 500, new HashSet<>(all).size());
    }

    private static List<Sno> chain(IdGenerator<Sno> ids, int length) {
        return Stream.iterate(ids.next(), last -> ids.after(last).next())
                .limit(length)
                .toList();
    }

    @Test
    void shouldGiveABatchOfLaterTicksAndDropNoneOfIt() {
        Sno seen = snos.next();

        List<Sno> batch = snos.after(seen).next(100_000);

        assertTrue(batch.stream().allMatch(id -> id.compareTo(seen) > 0));
        assertEquals(100_000, new HashSet<>(batch).size());
        assertEquals(Sno.of(seen.timestampUnits() + 1, 0, 0, 7, 0), batch.get(0));
        assertEquals(Sno.of(seen.timestampUnits() + 2, 0, 0, 7, 100_000 - 65_536 - 1), batch.get(99_999));
    }

    @Test
    void shouldGiveWhatATickHasWhenSomeAreEnough() {
        List<Sno> some = new ArrayList<>();

        int given = snos.after(lastOfNow()).nextUpTo(100_000, (high, low) -> some.add(new Sno(high, low)));

        assertEquals(65_536, given);
        assertEquals(given, some.size());
        assertTrue(some.stream().allMatch(id -> id.compareTo(lastOfNow()) > 0));
    }

    @Test
    void shouldRefuseBadCountsBeforeAnythingIsDrawn() {
        IdsAfter<Sno> after = snos.after(lastOfNow());

        assertThrows(IllegalArgumentException.class, () -> after.next(0));
        assertThrows(IllegalArgumentException.class, () -> after.next(IdGenerator.LARGEST_LIST + 1));
        assertThrows(IllegalArgumentException.class, () -> after.next(0, (high, low) -> {}));
        assertThrows(IllegalArgumentException.class, () -> after.nextUpTo(-1, (high, low) -> {}));
        assertEquals(NOW_MICROS, clock.micros(), "nobody waited");
        assertEquals(0, snos.next().sequence());
    }

    @Test
    void shouldSortAfterTheGreaterOfTwo() {
        Sno less = Sno.first(clock.instant());
        Sno greater = lastOfNow();

        assertEquals(1, ticksWaitedAfter(less, greater));
        assertEquals(1, ticksWaitedAfter(greater, less));
        assertEquals(0, ticksWaitedAfter(less, less));
    }

    private long ticksWaitedAfter(Sno one, Sno other) {
        clock.setMicros(NOW_MICROS);
        Sno next = snos(clock, 7).after(one).after(other).next();
        assertTrue(next.compareTo(one) > 0 && next.compareTo(other) > 0);
        return (clock.micros() - NOW_MICROS) / TICK_MICROS;
    }

    // --- The other schemes.

    @Test
    void shouldGiveMuidsOfTheNextMicrosecond() {
        Muid seen = Muid.last(clock.instant());

        Muid next = local.muid().after(seen).next();

        assertEquals(NOW_MICROS + 1, next.timestampUs());
        assertTrue(next.compareTo(seen) > 0);
    }

    /** A batch takes microseconds that went by: without the comparison it would begin before. */
    @Test
    void shouldGiveABatchOfMuidsThatAllSortAfter() {
        IdGenerator<Muid> muids = local.muid();
        List<Muid> drawn = muids.next(1_000);
        clock.advance(Duration.ofMillis(1));
        Muid seen = Muid.last(clock.instant());
        clock.advance(Duration.ofNanos(500_000));

        List<Muid> batch = muids.after(seen).next(5_000);

        assertTrue(batch.stream().allMatch(id -> id.compareTo(seen) > 0));
        assertEquals(5_000, new HashSet<>(batch).size());
        assertTrue(drawn.stream().noneMatch(batch::contains));
        assertTrue(muids.next(1_000).stream().noneMatch(batch::contains));
    }

    /** What the sink has is told, and no wait follows, although a part was dropped and the clock was put back. */
    @Test
    void shouldReturnWhenSomeAreEnoughAndTheClockIsPutBackMeanwhile() {
        IdGenerator<Muid> muids = local.muid();
        muids.next(1_000, (high, low) -> {});
        clock.advance(Duration.ofMillis(1));
        Muid seen = Muid.last(clock.instant());
        clock.advance(Duration.ofNanos(500_000));
        List<Muid> some = new ArrayList<>();

        int given = muids.after(seen).nextUpTo(2_000, (high, low) -> {
            some.add(new Muid(high, low));
            clock.setMicros(NOW_MICROS - 10_000_000);
        });

        assertEquals(500, given, "of the microseconds after that one");
        assertEquals(500, some.size());
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveATransactionThatSortsAfterAsAWhole(Seen which) {
        IdGenerator<Muid> muids = local.muid();
        long medallion = muids.next().medallion();
        clock.advance(Duration.ofNanos(1_000));
        Muid seen = which.of(clock.micros(), medallion);

        List<Muid> one = muids.with(MuidGenerator.TRANSACTION).after(seen).next(1);
        List<Muid> several = muids.with(MuidGenerator.TRANSACTION).after(seen).next(10);

        assertIsTransactionAfter(seen, one, 1);
        assertIsTransactionAfter(seen, several, 10);
    }

    private static void assertIsTransactionAfter(Muid seen, List<Muid> ids, int objects) {
        assertEquals(objects + 1, ids.size());
        assertTrue(ids.get(0).isTransaction());
        assertTrue(ids.stream().allMatch(id -> id.compareTo(seen) > 0), () -> ids + " after " + seen);
        assertEquals(
                IntStream.rangeClosed(0, objects).boxed().toList(),
                ids.stream().map(Muid::offset).toList());
        assertTrue(ids.stream().allMatch(id -> id.transaction().equals(ids.get(0))));
    }

    /** IDs of a microsecond, by where they are in it. */
    enum Seen {
        FIRST {
            @Override
            Muid of(long micros, long medallion) {
                return Muid.of(micros, Muid.MIN_MEDALLION, 0);
            }
        },
        /** The ID of the very transaction that the microsecond gives: its objects would sort after. */
        OF_THE_TRANSACTION {
            @Override
            Muid of(long micros, long medallion) {
                return Muid.of(micros, medallion, 0);
            }
        },
        /** One of the objects of that transaction: later ones would sort after. */
        OF_AN_OBJECT {
            @Override
            Muid of(long micros, long medallion) {
                return Muid.of(micros, medallion, 5);
            }
        },
        LAST {
            @Override
            Muid of(long micros, long medallion) {
                return Muid.of(micros, Muid.MAX_MEDALLION, Muid.MAX_OFFSET);
            }
        };

        abstract Muid of(long micros, long medallion);
    }

    /** Whatever was seen of its microsecond, also the very ID that the transaction itself would have. */
    @ParameterizedTest
    @EnumSource
    void shouldBeginATransactionThatSortsAfterWithAllOfItsObjects(Seen which) {
        long medallion = Muid.MIN_MEDALLION + 5;
        Muid seen = which.of(clock.micros(), medallion);

        MuidTransaction transaction =
                MuidTransaction.begin(local.muid(medallion).after(seen));

        assertTrue(transaction.id().isTransaction());
        assertTrue(transaction.id().compareTo(seen) > 0);
        assertEquals(0, transaction.size());
        assertEquals(1, transaction.next().offset());
    }

    @Test
    void shouldRiseWhenEachUid60IsDrawnAfterTheLast() {
        IdGenerator<Uid60> uid60s = local.uid60(17);
        Uid60 last = uid60s.next();

        for (int i = 0; i < 3_000; i++) {
            Uid60 next = uid60s.after(last).next();
            assertTrue(next.compareTo(last) > 0, () -> next + " is given after a greater one");
            last = next;
        }
    }

    @Test
    void shouldRiseWhenEachGidIsDrawnAfterTheLast() {
        IdGenerator<VolumeId> volumes = local.volumes();
        VolumeId last = volumes.next();

        for (int i = 0; i < 1_000; i++) {
            VolumeId next = volumes.after(last).next();
            assertTrue(next.compareTo(last) > 0, () -> next + " is given after a greater one");
            last = next;
        }
        List<VolumeId> batch = volumes.after(last).next(1_000);
        VolumeId seen = last;
        assertTrue(batch.stream().allMatch(id -> id.compareTo(seen) > 0));
    }

    @Test
    void shouldGiveAGidOfALaterType() {
        Gid seen = local.gid(GidType.LOG).next();

        assertTrue(local.gid(GidType.SEGMENT).after(seen).next().compareTo(seen) > 0);
    }

    @Test
    void shouldRefuseAGidOfALaterTypeThanIsDrawn() {
        Gid seen = local.gid(GidType.LOG).next();
        IdGenerator<Gid> volumes = local.gid(GidType.VOLUME);

        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> volumes.after(seen));

        assertEquals(
                "gids sort by type first, volume, log, segment: none of an earlier type is after the log " + seen,
                thrown.getMessage());
    }

    /** Nothing says beforehand which type a generator without a variant draws. */
    @Test
    void shouldRefuseAGidOfALaterTypeWhenOneIsDrawn() {
        Gid seen = local.gid(GidType.LOG).next();
        Generator generator = new GidGenerator(() -> 0, clock);
        IdGenerator<Gid> volumes =
                new IdGenerator<>(() -> generator, Gid.TYPE.reader(), GidGenerator.UNIT, PATIENCE, clock);

        assertThrows(IllegalArgumentException.class, () -> volumes.after(seen).next());
    }

    @Test
    void shouldRefuseEightbytesBecauseTheyDoNotSortByTime() {
        IdGenerator<EightByteId> eightbytes = local.eightbyte(3, 3);
        EightByteId seen = eightbytes.next();

        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> eightbytes.after(seen));

        assertEquals("eightbytes do not sort by time, so none is drawn after another: " + seen, thrown.getMessage());
    }

    private Sno lastOfNow() {
        return Sno.of(SnoGenerator.UNIT.tickAt(NOW_MICROS), 1, 255, 65_535, 65_535);
    }

    private static IdGenerator<Sno> snos(Clock clock, int... partitions) {
        List<SnoGenerator> slots = IntStream.of(partitions)
                .mapToObj(partition -> new SnoGenerator(
                        SnoPartition.of(partition), SnoRange.ALL, Fence.fromNow(clock, SnoGenerator.UNIT)))
                .toList();
        Generator all = slots.size() == 1 ? slots.get(0) : new LoadBalancer(slots);
        return new IdGenerator<>(() -> all, Sno::new, SnoGenerator.UNIT, PATIENCE, clock);
    }
}
