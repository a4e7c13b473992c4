package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.idallocator.core.generator.Draw;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.testing.SmallPool;
import org.idallocator.zk.testing.Told;
import org.idallocator.zk.znode.MetaNode;
import org.idallocator.zk.znode.SlotRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a slot's next tenure begins, after a tenure that was released and after one that was not. */
final class SuccessionTest {
    private static final String RECORD = "/ids/sno/records/0";

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(1);
    private final SlotPool pool = sno.pool().orElseThrow();
    private final Replicated first = bench.replica("a", sno).step();

    private static List<Sno> draw(Replicated replica, int count) {
        List<Sno> ids = new ArrayList<>();
        var unused =
                Draw.of(replica.slots(0).current(), count, Variant.NONE, (high, low) -> ids.add(new Sno(high, low)));
        assertEquals(count, ids.size());
        return ids;
    }

    /** The holder is gone, and nothing was released. */
    private void crash() {
        bench.zookeeper.delete("/ids/sno/leases/0");
    }

    private Replicated next(String name) {
        return bench.replica(name, sno).step();
    }

    @Test
    void shouldGoOnInTheSameTickWhenReleased() {
        List<Sno> before = draw(first, 3);
        first.loop.close();
        Sno after = draw(next("b"), 1).get(0);
        assertEquals(before.get(2).timestampUnits(), after.timestampUnits());
        assertEquals(before.get(2).sequence() + 1, after.sequence());
    }

    @Test
    void shouldTickTockAtOnceWhenReleasedAndClockIsBehind() {
        Sno before = draw(first, 1).get(0);
        first.loop.close();
        Replicated behind = bench.replica("b", sno);
        behind.clock.off(-1_000_000);
        Sno after = draw(behind.step(), 1).get(0);
        assertEquals(before.timestampUnits() - 250, after.timestampUnits());
        assertNotEquals(before.tick(), after.tick());
    }

    @Test
    void shouldKeepSnapshotOnlyWhileReleased() {
        first.loop.close();
        assertNull(bench.record(pool, 0).snapshot(), "where nothing was drawn");
        Replicated second = next("b");
        draw(second, 1);
        assertNull(bench.record(pool, 0).snapshot());
        second.loop.close();
        assertNotNull(bench.record(pool, 0).snapshot());
        next("c");
        assertNull(bench.record(pool, 0).snapshot());
    }

    /** The successor's own window would end before what its predecessor used. Then the successor dies. */
    @Test
    void shouldStartAboveAllWhenTheOneThatWentOnDied() {
        first.clock.off(9_900_000);
        Sno farthest = draw(first, 1).get(0);
        first.loop.close();
        Replicated second = bench.replica("b", sno);
        second.clock.off(-1_500_000);
        draw(second.step(), 1);
        assertTrue(bench.record(pool, 0).ceiling() >= farthest.timestampUnits());
        crash();
        Replicated third = next("c");
        assertTrue(third.tenure().fence().floorTick() > farthest.timestampUnits());
    }

    @Test
    void shouldStartAboveCeilingWhenSchemeHandsNothingOver() {
        Scheme<?> eightbyte = SmallPool.of(new EightByteScheme(3), 1);
        Bench other = new Bench();
        Replicated before = other.replica("a", eightbyte).step();
        assertEquals(1, before.draw(1));
        before.loop.close();
        long last = other.record(eightbyte.pool().orElseThrow(), 0).ceiling();
        assertEquals(
                last + 1, other.replica("b", eightbyte).step().tenure().fence().floorTick());
    }

    @Test
    void shouldStartAtRestoredFloorWhenThatIsLater() {
        draw(first, 1);
        first.loop.close();
        Instant floor = bench.now().plusSeconds(9).truncatedTo(ChronoUnit.SECONDS);
        bench.meta(new MetaNode(1, "restored", null, floor, null, Map.of()));
        Replicated second = next("b");
        assertEquals(
                pool.unit().firstTickFrom(floor.toEpochMilli() * 1_000),
                second.tenure().fence().floorTick());
        assertEquals(0, second.draw(1));
    }

    /** The claim was made, but its answer is lost. The record that it wrote, without a snapshot, is read back. */
    @Test
    void shouldGoOnOnceWhenAnswerOfClaimIsLost() {
        Set<Sno> all = new HashSet<>(draw(first, 1));
        first.loop.close();
        Replicated second = bench.replica("b", sno);
        second.client.next("multi /ids/sno/records/0", Fault.ANSWER_LOST);
        second.stepFor(Duration.ofSeconds(1));
        all.addAll(draw(second, 1));
        long ceiling = bench.record(pool, 0).ceiling();
        crash();
        Replicated third = next("c").letPass(Duration.ofSeconds(15));
        assertEquals(ceiling + 1, third.tenure().fence().floorTick());
        all.addAll(draw(third, 1));
        assertEquals(3, all.size());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "what is no snapshot        | \"snapshot\":7",
                "another slot's             | \"partition\":[9,9]",
                "more than was reserved     | \"wallHi\":274877906943",
                "more on the other timeline | \"wallSafe\":274877906943"
            })
    void shouldStartAboveCeilingWhenSnapshotCannotBe(String what, String json) {
        draw(first, 1);
        first.loop.close();
        SlotRecord record = bench.record(pool, 0);
        String key = json.substring(0, json.indexOf(':'));
        String written = bench.data(RECORD);
        String wrong = written.replaceFirst(key + ":(\\{.*?\\}|\\[.*?\\]|[0-9]+)(?=[,}])", json);
        assertNotEquals(written, wrong);
        bench.zookeeper.set(RECORD, wrong);
        try (Told told = Told.inTheRoomOf(Claimer.class)) {
            Replicated next = bench.replica("b", sno);
            next.client.next("multi /ids/sno/records/0", Fault.REQUEST_LOST);
            next.stepFor(Duration.ofSeconds(1));
            assertEquals(record.ceiling() + 1, next.tenure().fence().floorTick());
            assertEquals(1, told.warnings("left aside").size());
            ILoggingEvent warning = told.warnings("left aside").get(0);
            assertEquals(
                    "sno slot " + next.tenure().slot().name() + ": the snapshot in the record is left aside:"
                            + " it is none of this slot, or says more than was reserved",
                    warning.getFormattedMessage());
            assertNull(warning.getThrowableProxy(), "no stack trace");
        }
    }
}
