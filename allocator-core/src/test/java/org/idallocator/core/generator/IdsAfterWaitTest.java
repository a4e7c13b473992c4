package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.LogId;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.scheme.LocalIds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long draws after an ID that was seen wait for the clock, who is told, and when they are refused. */
final class IdsAfterWaitTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final long NOW_MICROS = NOW.getEpochSecond() * 1_000_000;
    private static final Duration TICK = Duration.ofMillis(4);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ScriptedClock clock = new ScriptedClock(NOW_MICROS);
    private final SnoGenerator slot =
            new SnoGenerator(SnoPartition.of(7), SnoRange.ALL, Fence.fromNow(clock, SnoGenerator.UNIT));
    private final IdGenerator<Sno> snos = snos(() -> slot, PATIENCE, clock);
    private final List<Duration> waits = new ArrayList<>();

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    /** Another replica's clock is ahead of this one. */
    @Test
    void shouldWaitUntilTheClockReachesTheSeenTick() {
        Sno seen = firstAhead(Duration.ofMillis(1_500));

        Sno next = snos.onWait(this::told).after(seen).next();

        assertEquals(seen.timestampUnits(), next.timestampUnits(), "partition 7 sorts after 0");
        assertEquals(List.of(Duration.ofMillis(1_500)), waits, "told once");
    }

    @Test
    void shouldWaitUntilTheSeenTickIsPastWhenItHasNothingThatSortsAfter() {
        Sno seen = lastAhead(Duration.ofMillis(1_500));

        Sno next = snos.onWait(this::told).after(seen).next();

        assertEquals(seen.timestampUnits() + 1, next.timestampUnits());
        assertEquals(List.of(Duration.ofMillis(1_500).plus(TICK)), waits, "told once");
    }

    @Test
    void shouldWaitUntilTheSeenTickIsPastWhenSeveralAreWanted() {
        Sno seen = firstAhead(Duration.ofMillis(1_500));

        List<Sno> batch = snos.onWait(this::told).after(seen).next(2);

        assertEquals(seen.timestampUnits() + 1, batch.get(0).timestampUnits());
        assertEquals(List.of(Duration.ofMillis(1_500).plus(TICK)), waits);
    }

    @Test
    void shouldTellNothingWhenNobodyWaits() {
        var unused = snos.onWait(this::told).after(snos.next()).next();

        assertEquals(List.of(), waits);
        assertEquals(0, clock.nanos());
    }

    @Test
    void shouldRefuseAtOnceWhenTheSeenTickPassesLaterThanCallersWait() {
        Sno seen = firstAhead(Duration.ofMillis(2_500));

        AheadException thrown =
                assertThrows(AheadException.class, () -> snos.after(seen).next());

        assertEquals(
                "the ID that was seen is ahead of the clock, which passes it in 2504 ms, at 2026-01-01T00:00:02.504Z;"
                        + " callers wait up to 2000 ms",
                thrown.getMessage());
        assertEquals(NOW.plusMillis(2_504), thrown.due());
        assertEquals(Duration.ofMillis(2_504), thrown.retryAfter());
        assertEquals(0, clock.nanos(), "at once");
        assertEquals(Sno.of(SnoGenerator.UNIT.tickAt(NOW_MICROS), 0, 0, 7, 0), snos.next(), "nothing was drawn");
        clock.advance(thrown.retryAfter());
        assertTrue(snos.after(seen).next().compareTo(seen) > 0);
    }

    @Test
    void shouldRefuseWhenTheSeenTickPassesJustLaterThanCallersWait() {
        Sno within = firstAhead(PATIENCE.minus(TICK));
        Sno beyond = firstAhead(PATIENCE);

        assertThrows(AheadException.class, () -> snos.after(beyond).next());
        assertEquals(0, clock.nanos());
        assertTrue(snos.after(within).next(2).get(0).compareTo(within) > 0);
        assertEquals(PATIENCE, Duration.ofNanos(clock.nanos()));
    }

    /** One may sort after within that second, but nobody knows before. */
    @Test
    void shouldRefuseAtOnceWhenTheSeenTickBeginsInTimeAndPassesTooLate() {
        IdGenerator<Uid60> uid60s = new LocalIds(PATIENCE, clock).uid60(17);
        clock.setMicros(NOW_MICROS + 500_000);
        Uid60 seen = Uid60.first(NOW.plusSeconds(2));

        assertThrows(AheadException.class, () -> uid60s.after(seen).next());

        assertEquals(0, clock.nanos(), "at once");
    }

    @Test
    void shouldSaySoWhenTheIdIsFurtherAheadThanAnyOfTheRoot() {
        IdGenerator<Sno> ofRoot = snos.withFarthestSeen(Duration.ofSeconds(16));
        Sno farthest = firstAhead(Duration.ofSeconds(16));
        Sno further = firstAhead(Duration.ofSeconds(16).plus(TICK));

        TooFarAheadException thrown = assertThrows(
                TooFarAheadException.class, () -> ofRoot.after(further).next());

        assertEquals(
                "the ID that was seen is of 2026-01-01T00:00:16.004Z, and the clock reads 2026-01-01T00:00:00Z: no ID of this root"
                        + " is more than 16000 ms ahead of a clock that is right",
                thrown.getMessage());
        assertEquals(NOW.plusMillis(16_004), thrown.seen());
        assertEquals(NOW, thrown.now());
        assertThrows(AheadException.class, () -> ofRoot.after(farthest).next());
        assertEquals(0, clock.nanos());
    }

    @Test
    void shouldSaySoWhenItIsTooFarAheadThoughCallersWouldWaitForIt() {
        IdGenerator<Sno> patient =
                snos(() -> slot, Duration.ofHours(1), clock).withFarthestSeen(Duration.ofSeconds(16));

        assertThrows(
                TooFarAheadException.class,
                () -> patient.after(firstAhead(Duration.ofMinutes(1))).next());

        assertEquals(0, clock.nanos());
    }

    @Test
    void shouldKnowHowFarAheadIsTooFarWhateverElseIsAskedFor() {
        IdGenerator<Sno> ofRoot = snos.withFarthestSeen(Duration.ofSeconds(16))
                .with(SnoGenerator.metabyte(1))
                .as(Sno::new)
                .onOverflow(overflow -> {})
                .onWait(WaitListener.NONE);

        assertThrows(
                TooFarAheadException.class,
                () -> ofRoot.after(firstAhead(Duration.ofMinutes(1))).next());
    }

    @Test
    void shouldCallNothingTooFarAheadWhenNobodySaysHowFarThatIs() {
        AheadException thrown = assertThrows(
                AheadException.class, () -> snos.after(Sno.last(Instant.MAX)).next());

        assertEquals(SnoGenerator.UNIT.instantAt(SnoGenerator.UNIT.maxTick() + 1), thrown.due());
    }

    /** Times of muids and gids reach further than 64 bits of nanoseconds. */
    @Test
    void shouldRefuseTheLastIdsOfAll() {
        LocalIds local = new LocalIds(PATIENCE, clock);
        Muid muid = new Muid(-1, -1);
        LogId log = LogId.last(Instant.ofEpochMilli(Gid.MAX_TIMESTAMP_MS));
        Uid60 uid60 = Uid60.last(Instant.MAX);

        assertThrows(AheadException.class, () -> local.muid().after(muid).next());
        assertThrows(AheadException.class, () -> local.logs().after(log).next());
        assertThrows(AheadException.class, () -> local.uid60(1).after(uid60).next());
        assertThrows(
                TooFarAheadException.class,
                () -> local.logs()
                        .withFarthestSeen(Duration.ofSeconds(16))
                        .after(log)
                        .next());
    }

    // --- What happens meanwhile.

    @Test
    void shouldWaitOnWhenTheClockIsPutBackMeanwhile() {
        IdGenerator<Sno> ids = snos(() -> slot, PATIENCE, puttingBack(Duration.ofMillis(300)));
        Sno seen = firstAhead(Duration.ofMillis(800));

        Sno next = ids.onWait(this::told).after(seen).next();

        assertTrue(next.compareTo(seen) > 0);
        assertEquals(List.of(Duration.ofMillis(1_100)), waits);
    }

    /** All waits of a call for the clock together are no longer than callers wait. */
    @Test
    void shouldRefuseWhenTheClockIsPutBackByMoreThanIsLeftOfThePatience() {
        IdGenerator<Sno> ids = snos(() -> slot, PATIENCE, puttingBack(Duration.ofMillis(1_250)));
        Sno seen = firstAhead(Duration.ofMillis(800));

        AheadException thrown = assertThrows(
                AheadException.class, () -> ids.onWait(this::told).after(seen).next());

        assertEquals(Duration.ofMillis(1_954), thrown.retryAfter());
        assertEquals(List.of(Duration.ofMillis(100)), waits);
    }

    /** Puts the wall clock back in the first wait. */
    private Clock puttingBack(Duration step) {
        List<Long> parks = new ArrayList<>();
        return new ParkingClock(clock, nanos -> {
            clock.park(nanos);
            parks.add(nanos);
            if (parks.size() == 1) {
                clock.setMicros(clock.micros() - step.toNanos() / 1_000);
            }
        });
    }

    @Test
    void shouldSayWhyWhenNothingServesAnyMoreMeanwhile() {
        FencedException closed = FencedException.of(FenceReason.CLOSED);
        AtomicReference<Generator> serving = new AtomicReference<>(slot);
        TenureSource<Generator> source = () -> {
            if (clock.nanos() > 0) {
                throw closed;
            }
            return serving.get();
        };
        IdGenerator<Sno> ids = snos(source, PATIENCE, clock).onWait(this::told);

        FencedException thrown = assertThrows(
                FencedException.class,
                () -> ids.after(firstAhead(Duration.ofSeconds(1))).next());

        assertEquals(FenceReason.CLOSED, thrown.reason());
        assertEquals(List.of(Duration.ofMillis(100)), waits, "found out soon");
        assertTrue(
                List.of(thrown.getStackTrace()).toString().contains("shouldSayWhyWhenNothingServesAnyMoreMeanwhile"),
                "of the caller");
    }

    /** Another replica, whose clock is ahead of this one, may serve. */
    @Test
    void shouldSayFirstThatNothingServes() {
        IdGenerator<Sno> fenced = snos(
                        () -> {
                            throw FencedException.of(FenceReason.UNREACHABLE);
                        },
                        PATIENCE,
                        clock)
                .withFarthestSeen(Duration.ofSeconds(16));

        for (Duration ahead : List.of(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofHours(1))) {
            assertThrows(
                    FencedException.class, () -> fenced.after(firstAhead(ahead)).next());
        }
        assertEquals(0, clock.nanos());
    }

    @Test
    void shouldGoOnWithTheNextTenureWhenOneEndsMeanwhile() {
        SnoGenerator next = new SnoGenerator(SnoPartition.of(8), SnoRange.ALL, Fence.fromNow(clock, SnoGenerator.UNIT));
        IdGenerator<Sno> ids = snos(() -> clock.nanos() < 500_000_000 ? slot : next, PATIENCE, clock);

        Sno given = ids.after(firstAhead(Duration.ofSeconds(1))).next();

        assertEquals(8, given.partition());
    }

    @Test
    void shouldEndWhenInterruptedBeforeItWaits() {
        Thread.currentThread().interrupt();

        CancellationException thrown = assertThrows(
                CancellationException.class,
                () -> snos.after(firstAhead(Duration.ofSeconds(1))).next());

        assertEquals("interrupted while waiting for the clock to pass the ID that was seen", thrown.getMessage());
        assertTrue(Thread.currentThread().isInterrupted());
        assertEquals(0, clock.nanos());
    }

    @Test
    void shouldEndWhenInterruptedWhileItWaits() {
        Clock interrupting = new ParkingClock(clock, nanos -> {
            clock.park(nanos / 4);
            Thread.currentThread().interrupt();
        });
        IdGenerator<Sno> ids = snos(() -> slot, PATIENCE, interrupting).onWait(this::told);

        assertThrows(
                CancellationException.class,
                () -> ids.after(firstAhead(Duration.ofSeconds(1))).next());

        assertEquals(List.of(Duration.ofMillis(25)), waits);
        assertEquals(0, snos.next().sequence(), "nothing was drawn");
    }

    @Test
    void shouldNotWaitWhenTheListenerRefuses() {
        IdGenerator<Sno> refused = snos.onWait(new WaitListener() {
            @Override
            public void begins() {
                throw new OverCapacityException("too many wait", Duration.ofSeconds(1));
            }

            @Override
            public void waited(long nanos) {
                told(nanos);
            }
        });

        assertThrows(
                OverCapacityException.class,
                () -> refused.after(firstAhead(Duration.ofSeconds(1))).next());

        assertEquals(List.of(), waits);
        assertEquals(0, clock.nanos());
    }

    private void told(long nanos) {
        waits.add(Duration.ofNanos(nanos));
    }

    private static Sno firstAhead(Duration ahead) {
        return Sno.first(NOW.plus(ahead));
    }

    private static Sno lastAhead(Duration ahead) {
        return Sno.last(NOW.plus(ahead));
    }

    private static IdGenerator<Sno> snos(TenureSource<Generator> source, Duration maxWait, Clock clock) {
        return new IdGenerator<>(source, Sno::new, SnoGenerator.UNIT, maxWait, clock);
    }
}
