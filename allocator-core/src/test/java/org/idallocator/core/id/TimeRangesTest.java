package org.idallocator.core.id;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.SnoRange;
import org.idallocator.core.scheme.LocalIds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code first} and {@code last} cut each type's IDs exactly where a tick begins: those that generators draw, and those
 * of any bits.
 */
final class TimeRangesTest {
    private static final int TIMES = 2_000;
    private static final long SEED = 50;
    private static final Instant UNIX_EPOCH = Instant.EPOCH;
    private static final Instant GIDS_END = Instant.parse("+10889-08-02T05:31:50.655999999Z");

    /**
     * A type whose IDs have ranges of time.
     *
     * @param tick how long the times of one ID are
     * @param begins the first time that an ID can carry, inclusive
     * @param ends the last one, inclusive
     * @param random an ID of any bits
     * @param generator how it is drawn
     */
    private record Ranged<T extends Id & Comparable<? super T>>(
            String name,
            Function<Instant, T> first,
            Function<Instant, T> last,
            Function<T, String> hex,
            Duration tick,
            Instant begins,
            Instant ends,
            Function<Random, T> random,
            Function<LocalIds, IdGenerator<T>> generator) {

        /** When the tick begins that a time is in. */
        Instant rounded(Instant time) {
            return begins.plus(tick.multipliedBy(Duration.between(begins, time).dividedBy(tick)));
        }

        boolean carries(Instant time) {
            return !time.isBefore(begins) && !time.isAfter(ends);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Ranged<?>> types() {
        return Stream.of(
                new Ranged<Sno>(
                        "sno",
                        Sno::first,
                        Sno::last,
                        Sno::toHex,
                        Duration.ofMillis(4),
                        Sno.MIN_TIME,
                        Sno.MAX_TIME,
                        random -> new Sno(random.nextLong() >>> 48, random.nextLong()),
                        ids -> ids.sno(SnoPartition.of(7), SnoRange.ALL)),
                new Ranged<Muid>(
                        "muid",
                        Muid::first,
                        Muid::last,
                        Muid::toHex,
                        Duration.ofNanos(1_000),
                        UNIX_EPOCH,
                        Instant.parse("4253-05-31T22:20:37.927935999Z"),
                        random -> new Muid(random.nextLong(), random.nextLong()),
                        LocalIds::muid),
                new Ranged<Uid60>(
                        "uid60",
                        Uid60::first,
                        Uid60::last,
                        Uid60::toHex,
                        Duration.ofSeconds(1),
                        Instant.parse("2018-03-01T00:00:00Z"),
                        Instant.parse("2154-04-07T06:28:15.999999999Z"),
                        random -> new Uid60(0, random.nextLong() >>> 4),
                        ids -> ids.uid60(7)),
                new Ranged<VolumeId>(
                        "volume",
                        VolumeId::first,
                        VolumeId::last,
                        VolumeId::toHex,
                        Duration.ofMillis(1),
                        UNIX_EPOCH,
                        GIDS_END,
                        random -> new VolumeId(anyGid(GidType.VOLUME, random), random.nextLong()),
                        LocalIds::volumes),
                new Ranged<LogId>(
                        "log",
                        LogId::first,
                        LogId::last,
                        LogId::toHex,
                        Duration.ofMillis(1),
                        UNIX_EPOCH,
                        GIDS_END,
                        random -> new LogId(anyGid(GidType.LOG, random), random.nextLong()),
                        LocalIds::logs),
                new Ranged<SegmentId>(
                        "segment",
                        SegmentId::first,
                        SegmentId::last,
                        SegmentId::toHex,
                        Duration.ofMillis(1),
                        UNIX_EPOCH,
                        GIDS_END,
                        random -> new SegmentId(anyGid(GidType.SEGMENT, random), random.nextLong()),
                        LocalIds::segments));
    }

    /** The upper bits with any time, and with any second prefix that parsers accept. */
    private static long anyGid(GidType type, Random random) {
        return (Gid.highBits(type, random.nextLong() >>> 16) & ~0xffL) | 0x80 | random.nextInt(0x80);
    }

    /** Times within some ticks of an ID's, and bounds of ranges there: an ID is on the side that its tick is on. */
    @ParameterizedTest
    @MethodSource("types")
    <T extends Id & Comparable<? super T>> void shouldCutIdsOfAnyBitsWhereATickBegins(Ranged<T> type) {
        Random random = new Random(SEED);
        for (int i = 0; i < TIMES; i++) {
            T id = type.random().apply(random);
            Instant time =
                    id.time().plusNanos(random.nextLong(-3, 4) * type.tick().toNanos() + random.nextLong(-1, 2));
            if (type.carries(time)) {
                Instant tick = type.rounded(time);
                assertEquals(
                        !id.time().isBefore(tick),
                        id.compareTo(type.first().apply(time)) >= 0,
                        () -> id + " from " + time + ", seed " + SEED);
                assertEquals(
                        !id.time().isAfter(tick),
                        id.compareTo(type.last().apply(time)) <= 0,
                        () -> id + " up to " + time + ", seed " + SEED);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    <T extends Id & Comparable<? super T>> void shouldBeOfTheTickThatATimeIsIn(Ranged<T> type) {
        Random random = new Random(SEED);
        for (int i = 0; i < TIMES; i++) {
            Instant tick = type.random().apply(random).time();
            T first = type.first().apply(tick);
            T last = type.last().apply(tick);
            Instant within = tick.plusNanos(random.nextLong(type.tick().toNanos()));

            assertEquals(List.of(tick, tick), List.of(first.time(), last.time()));
            assertTrue(first.compareTo(last) < 0, tick::toString);
            assertEquals(
                    List.of(first, last),
                    List.of(type.first().apply(within), type.last().apply(within)));
        }
    }

    /** Each ID is in one of the ranges, and in the one of its time. */
    @ParameterizedTest
    @MethodSource("types")
    <T extends Id & Comparable<? super T>> void shouldTileExactlyWhatGeneratorsDraw(Ranged<T> type) {
        Random random = new Random(SEED);
        Instant start = Instant.parse("2026-02-28T23:59:59.123456Z");
        ScriptedClock clock = new ScriptedClock(start.getEpochSecond() * 1_000_000 + start.getNano() / 1_000);
        IdGenerator<T> generator = type.generator().apply(new LocalIds(Duration.ofSeconds(2), clock));
        List<T> drawn = new ArrayList<>();
        List<Instant> cuts = new ArrayList<>(List.of(start));
        for (int i = 0; i < 500; i++) {
            clock.advance(Duration.ofNanos(random.nextLong(2 * type.tick().toNanos())));
            drawn.add(generator.next());
            drawn.addAll(generator.next(3));
            if (i % 20 == 19) {
                cuts.add(clock.instant().plusNanos(random.nextLong(type.tick().toNanos())));
            }
        }
        cuts.add(clock.instant().plus(type.tick().multipliedBy(10)));

        List<Instant> ticks = cuts.stream().map(type::rounded).toList();
        List<T> firsts = cuts.stream().map(type.first()).toList();
        List<T> lasts = ticks.stream()
                .map(tick -> type.last().apply(tick.minusNanos(1)))
                .toList();

        for (T id : drawn) {
            List<Integer> ofItsTime = ranges(
                    ticks.size(),
                    i -> !id.time().isBefore(ticks.get(i)) && id.time().isBefore(ticks.get(i + 1)));
            List<Integer> halfOpen =
                    ranges(firsts.size(), i -> id.compareTo(firsts.get(i)) >= 0 && id.compareTo(firsts.get(i + 1)) < 0);
            List<Integer> closed =
                    ranges(firsts.size(), i -> id.compareTo(firsts.get(i)) >= 0 && id.compareTo(lasts.get(i + 1)) <= 0);

            assertEquals(1, ofItsTime.size(), id::toString);
            assertEquals(ofItsTime, halfOpen, id::toString);
            assertEquals(ofItsTime, closed, id::toString);
        }
    }

    /** Which of the ranges from one of so many cuts to the next are such, by their first cut. */
    private static List<Integer> ranges(int cuts, IntPredicate includes) {
        return IntStream.range(0, cuts - 1).filter(includes).boxed().toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        sno     | first | -1000000000-01-01T00:00:00Z        | 00000000000000000000
        sno     | first | 2009-12-31T23:59:59.999999999Z     | 00000000000000000000
        sno     | first | 2010-01-01T00:00:00.003999999Z     | 00000000000000000000
        sno     | first | 2010-01-01T00:00:00.004Z           | 00000000020000000000
        sno     | last  | 2010-01-01T00:00:00Z               | 0000000001ffffffffff
        sno     | first | 2079-09-07T15:47:35.551999999Z     | fffffffffe0000000000
        sno     | last  | 2079-09-07T15:47:35.551999999Z     | ffffffffffffffffffff
        sno     | last  | 2079-09-07T15:47:35.552Z           | ffffffffffffffffffff
        sno     | last  | +1000000000-12-31T23:59:59.999999999Z | ffffffffffffffffffff
        uid60   | first | -1000000000-01-01T00:00:00Z        | 000000000000000
        uid60   | first | 2018-02-28T23:59:59.999999999Z     | 000000000000000
        uid60   | first | 2018-03-01T00:00:01Z               | 000000010000000
        uid60   | last  | 2018-03-01T00:00:00.999999999Z     | 00000000fffffff
        uid60   | first | 2154-04-07T06:28:15.999999999Z     | ffffffff0000000
        uid60   | last  | 2154-04-07T06:28:16Z               | fffffffffffffff
        uid60   | last  | +1000000000-12-31T23:59:59.999999999Z | fffffffffffffff
        muid    | first | 1970-01-01T00:00:00.000000999Z     | 00000000000000000000000000000000
        muid    | last  | 1970-01-01T00:00:00Z               | 00000000000000FFFFFFFFFFFFFFFFFF
        muid    | first | 2263-01-01T00:00:00.000001Z        | 20D95A997B0001000000000000000000
        muid    | first | 4253-05-31T22:20:37.927935999Z     | FFFFFFFFFFFFFF000000000000000000
        muid    | last  | 4253-05-31T22:20:37.927935999Z     | FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF
        volume  | first | 1970-01-01T00:00:00.000999999Z     | 80000000000000800000000000000000
        volume  | last  | 1970-01-01T00:00:00Z               | 80000000000000ffffffffffffffffff
        log     | first | 1970-01-01T00:00:00.001Z           | a0000000000001800000000000000000
        log     | last  | 1970-01-01T00:00:00.001Z           | a0000000000001ffffffffffffffffff
        segment | first | +10889-08-02T05:31:50.655999999Z   | c0ffffffffffff800000000000000000
        segment | last  | +10889-08-02T05:31:50.655999999Z   | c0ffffffffffffffffffffffffffffff
        """)
    void shouldBeThisIdAtABound(String type, String method, Instant time, String hex) {
        assertEquals(hex, bound(type(type), method, time));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        sno    | first | 2079-09-07T15:47:35.552Z       | 2010-01-01T00:00:00Z..2079-09-07T15:47:35.551999999Z
        sno    | first | +1000000000-12-31T23:59:59.999999999Z | 2010-01-01T00:00:00Z..2079-09-07T15:47:35.551999999Z
        sno    | last  | 2009-12-31T23:59:59.999999999Z | 2010-01-01T00:00:00Z..2079-09-07T15:47:35.551999999Z
        sno    | last  | -1000000000-01-01T00:00:00Z    | 2010-01-01T00:00:00Z..2079-09-07T15:47:35.551999999Z
        uid60  | first | 2154-04-07T06:28:16Z           | 2018-03-01T00:00:00Z..2154-04-07T06:28:15.999999999Z
        uid60  | last  | 2018-02-28T23:59:59.999999999Z | 2018-03-01T00:00:00Z..2154-04-07T06:28:15.999999999Z
        muid   | first | 1969-12-31T23:59:59.999999999Z | 1970-01-01T00:00:00Z..4253-05-31T22:20:37.927935999Z
        muid   | last  | 1969-12-31T23:59:59.999999999Z | 1970-01-01T00:00:00Z..4253-05-31T22:20:37.927935999Z
        muid   | first | -1000000000-01-01T00:00:00Z    | 1970-01-01T00:00:00Z..4253-05-31T22:20:37.927935999Z
        muid   | first | 4253-05-31T22:20:37.927936Z    | 1970-01-01T00:00:00Z..4253-05-31T22:20:37.927935999Z
        muid   | last  | 4253-05-31T22:20:37.927936Z    | 1970-01-01T00:00:00Z..4253-05-31T22:20:37.927935999Z
        volume | first | 1969-12-31T23:59:59.999999999Z | 1970-01-01T00:00:00Z..+10889-08-02T05:31:50.655999999Z
        log    | last  | 1969-12-31T23:59:59.999999999Z | 1970-01-01T00:00:00Z..+10889-08-02T05:31:50.655999999Z
        log    | first | +10889-08-02T05:31:50.656Z     | 1970-01-01T00:00:00Z..+10889-08-02T05:31:50.655999999Z
        volume | last  | +1000000000-12-31T23:59:59.999999999Z | 1970-01-01T00:00:00Z..+10889-08-02T05:31:50.655999999Z
        """)
    void shouldRefuseATimeThatNoIdCarries(String type, String method, Instant time, String allowed) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> bound(type(type), method, time));

        assertEquals("time must be " + allowed + ": " + time, refused.getMessage());
    }

    private static Ranged<?> type(String name) {
        return types().filter(type -> type.name().equals(name)).findFirst().orElseThrow();
    }

    private static <T extends Id & Comparable<? super T>> String bound(Ranged<T> type, String method, Instant time) {
        return type.hex().apply((method.equals("first") ? type.first() : type.last()).apply(time));
    }
}
