package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.zk.epoch.LeaderClock;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far ahead ticks are reserved, and until when a tenure may rely on its lease. */
final class ReservationTest {
    private static final TickUnit MILLIS = new TickUnit(0, 1_000, 42);
    private static final TickUnit SECONDS = new TickUnit(0, 1_000_000, 32);
    private static final Clock CLOCK = Clock.system();
    private static final Duration SKEW = Duration.ofSeconds(2);
    private static final long FOREVER = Long.MAX_VALUE / 2;

    private final Reservation reservation =
            new Reservation(CLOCK, new LeaderClock(CLOCK, SKEW), Duration.ofMillis(2_500), SKEW);

    @ParameterizedTest
    @CsvSource({
        "7000000, 9500", // now + window
        "7000999, 9500", // within a tick
        "-5000, 2495", // before the epoch
    })
    void shouldReserveOneWindow(long micros, long ceiling) {
        assertEquals(ceiling, reservation.ceiling(MILLIS, micros));
        assertEquals(7 + 3, reservation.ceiling(SECONDS, 7_999_999), "rounded up where ticks are long");
    }

    @Test
    void shouldStayWithinTimeFieldWhenThatEnds() {
        assertEquals(MILLIS.maxTick(), reservation.ceiling(MILLIS, (MILLIS.maxTick() - 1) * 1_000));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 10, 8000000000",
        "-5, 10, 7999999995",
        "9223372036854775800, 10, -9223372028854775816", // the monotonic clock wraps
    })
    void shouldEndBeforeServerCanHaveExpiredSession(long sent, long timeoutSeconds, long deadline) {
        assertEquals(deadline, reservation.deadlineNanos(sent, Duration.ofSeconds(timeoutSeconds), sent + FOREVER));
    }

    @Test
    void shouldEndWithTenureWhenThatIsSooner() {
        assertEquals(5, reservation.deadlineNanos(0, Duration.ofSeconds(10), 5));
        assertEquals(
                Long.MIN_VALUE + 3,
                reservation.deadlineNanos(Long.MAX_VALUE - 3, Duration.ofSeconds(10), Long.MIN_VALUE + 3));
    }

    @Test
    void shouldWriteRecordOnConditionOfItsVersion() {
        Slot slot = Slot.of(Bench.sno(1), 0);
        Store.Op.Write write = Reservation.write(Bench.TREE, slot, SlotRecord.reserved(slot.unit(), 249, "nonce"), 17);
        assertEquals("/ids/sno/records/0", write.path());
        assertEquals(17, write.version());
        Instant end = Instant.parse("2010-01-01T00:00:01Z");
        assertEquals(
                new SlotRecord(2, 249, end, "nonce", false, null, null, null, Map.of()),
                Payloads.read("", write.data(), SlotRecord.class));
    }
}
