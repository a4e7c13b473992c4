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

/** How far ahead ticks are reserved, and until when a tenure may rely on its lease. */
final class ReservationTest {
    @Test
    void shouldStayWithinTimeFieldWhenThatEnds() {
        Duration skew = Duration.ofSeconds(2);
        Clock clock = Clock.system();
        TickUnit millis = new TickUnit(0, 1_000, 42);
        Reservation reservation = new Reservation(clock, new LeaderClock(clock, skew), Duration.ofSeconds(3), skew);
        assertEquals(millis.maxTick(), reservation.ceiling(millis, (millis.maxTick() - 1) * 1_000));
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
