package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.junit.jupiter.api.Test;

/** How a tenure writes its record. */
final class RecordWriteTest {
    @Test
    void shouldWriteRecordOnConditionOfItsVersion() {
        Slot slot = Slot.of(Bench.sno(1), 0);
        SlotRecord record = SlotRecord.reserved(slot.unit(), 249, "nonce").sentAs("0123456789abcdef");
        RecordWrite write = RecordWrite.of(Bench.TREE, slot, record, 17);
        assertEquals("/ids/sno/records/0", write.op().path());
        assertEquals(OptionalInt.of(17), write.op().version());
        assertEquals(18, write.leaves());
        assertEquals("0123456789abcdef", write.record().mark());
        Instant end = Instant.parse("2010-01-01T00:00:01Z");
        assertEquals(
                new SlotRecord(3, 249, end, "nonce", false, null, null, "0123456789abcdef", null, Map.of()),
                Payloads.read("", write.op().data(), SlotRecord.class));
    }
}
