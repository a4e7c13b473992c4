package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.SlotRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a replica releases its slots. */
final class ReleaseTest {
    private static final String RELEASE = "multi /ids/sno/leases";

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(1);
    private final SlotPool pool = sno.pool().orElseThrow();
    private final Replicated replica = bench.replica("a", sno);

    private long tickNow() {
        return pool.unit().tickAt(replica.clock.micros());
    }

    private void assertReleasedAt(long tick) {
        SlotRecord record = bench.record(pool, 0);
        assertTrue(record.released());
        assertEquals(tick, record.ceiling());
        assertTrue(bench.leases(pool).isEmpty());
        assertTrue(replica.loop.isClosed());
    }

    /** So nobody has to wait for ticks that nobody will use. */
    @ParameterizedTest
    @ValueSource(strings = {"", "written into", "gone"})
    void shouldSetRecordDownToLastTickUsedWhenStopped(String lease) {
        replica.step();
        assertEquals(1, replica.draw(1));
        long last = tickNow();
        if (lease.equals("gone")) {
            bench.zookeeper.delete("/ids/sno/leases/0");
        } else if (!lease.isEmpty()) {
            bench.zookeeper.set("/ids/sno/leases/0", bench.data("/ids/sno/leases/0"));
        }
        bench.advance(Duration.ofSeconds(1));
        replica.loop.close();
        assertReleasedAt(last);
    }

    @Test
    void shouldSetRecordBackWhenNothingWasIssued() {
        Tenure tenure = replica.step().tenure();
        replica.loop.close();
        assertReleasedAt(-1);
        assertEquals(FenceReason.RELEASED, replica.reason());
        assertEquals(FenceReason.RELEASED, Bench.whyTripped(tenure));
    }

    /** After a step back, the last ID lies below the highest tick used, on the other value of the tick-tock bit. */
    @Test
    void shouldSetRecordDownToHighestTickOfBothTimelinesWhenClockSteppedBack() {
        replica.step();
        bench.advance(Duration.ofSeconds(1));
        assertEquals(1, replica.draw(1));
        long highest = tickNow();
        replica.clock.off(-500_000);
        assertEquals(1, replica.draw(1));
        assertTrue(tickNow() < highest);
        replica.loop.close();
        assertReleasedAt(highest);
    }

    @ParameterizedTest
    @EnumSource(names = {"ANSWER_LOST", "REFUSED"})
    void shouldReleaseOnceWhenAnswerIsLost(Fault fault) {
        replica.step();
        replica.client.next(RELEASE, fault);
        int version = bench.version("/ids/sno/records/0");
        replica.loop.close();
        assertReleasedAt(-1);
        assertEquals(version + 1, bench.version("/ids/sno/records/0"));
    }

    /** A far ZooKeeper answers seldom, and a stop does not wait for long. */
    @Test
    void shouldGiveAllSlotsBackWithinFourAnswersWhenStopped() {
        Scheme<?> uid60 = new Uid60Scheme(Duration.ofHours(1));
        Replicated other = bench.replica(
                Bench.settings("b", List.of(sno, uid60, new EightByteScheme(3))).withLeases(Map.of("uid60", 12)));
        other.letPass(Duration.ofSeconds(30));
        assertEquals(12, bench.leases(uid60.pool().orElseThrow()).size());
        AtomicInteger answers = new AtomicInteger();
        other.client.answering(answers::incrementAndGet);
        other.loop.close();

        assertTrue(other.loop.isClosed());
        assertEquals(0, bench.leases(uid60.pool().orElseThrow()).size());
        assertTrue(answers.get() <= 4, answers::toString);
    }

    /**
     * Somebody writes the record of one slot meanwhile: the others are given back all the same, and that one after
     * them.
     */
    @Test
    void shouldGiveTheOthersBackWhenOneIsRefused() {
        Scheme<?> uid60 = new Uid60Scheme(Duration.ofHours(1));
        Replicated other = bench.replica(Bench.settings("b", List.of(uid60)).withLeases(Map.of("uid60", 4)));
        other.letPass(Duration.ofSeconds(30));
        String taken = Bench.TREE.record(other.tenure().slot());
        other.amid("multi /ids/uid60", Fault.NONE, () -> bench.zookeeper.set(taken, bench.data(taken)));
        List<Integer> left = new ArrayList<>();
        bench.zookeeper.onWrite((path, data, created) ->
                left.add(bench.leases(uid60.pool().orElseThrow()).size()));
        other.loop.close();

        assertTrue(other.loop.isClosed());
        assertEquals(List.of(4, 1, 1, 1, 0), left, "the stranger's write, three together, and one");
    }

    @Test
    void shouldReleaseAtTheNextTryWhenRequestIsLost() {
        replica.step();
        replica.client.next(RELEASE, Fault.REQUEST_LOST);
        assertThrows(StoreException.class, replica.loop::close);
        assertFalse(replica.loop.isClosed());
        replica.loop.close();
        assertReleasedAt(-1);
    }

    /**
     * The replica has given its session up, but the lease is still there: the replica deletes the lease, and nobody
     * waits.
     */
    @Test
    void shouldReleaseOnNewSessionWhenLeaseOfOldOneIsStillThere() {
        replica.step();
        Tenure ended = replica.tenure();
        ended.fence().trip(FenceReason.RELEASED, "");
        replica.client.next("sync", Fault.ABANDONED);
        replica.stepFor(Duration.ofSeconds(2));
        assertTrue(replica.serves());
        assertEquals(Phase.GONE, ended.phase());
        assertTrue(replica.tenure().isOn(replica.client.session()));
        assertEquals(
                replica.client.session().id(),
                bench.zookeeper.node("/ids/sno/leases/0").orElseThrow().owner());
    }

    @Test
    void shouldDeleteLeaseWhenOnlyRecordIsTaken() {
        replica.step();
        SlotRecord theirs = SlotRecord.reserved(pool.unit(), 1L << 38, "theirs");
        bench.zookeeper.set("/ids/sno/records/0", Json.write(theirs));
        replica.loop.close();
        assertEquals(theirs, bench.record(pool, 0));
        assertTrue(bench.leases(pool).isEmpty());
    }

    /** Between reading and writing, somebody deletes the lease and a successor claims the slot. */
    @Test
    void shouldNotDeleteLeaseOfSuccessorWhenOnlyRecordIsTaken() {
        replica.step();
        long ceiling = bench.record(pool, 0).ceiling();
        bench.zookeeper.set("/ids/sno/records/0", Json.write(SlotRecord.released(pool.unit(), ceiling, "theirs")));
        replica.amid(RELEASE, Fault.NONE, () -> {
            bench.zookeeper.delete("/ids/sno/leases/0");
            bench.advance(Duration.ofSeconds(20));
            bench.replica("b", sno).step();
        });
        replica.loop.close();
        assertEquals(List.of("0"), bench.leases(pool));
    }

    @Test
    void shouldNotTouchSlotWhenItIsNotOursAnyMore() {
        replica.step();
        bench.zookeeper.delete("/ids/sno/leases/0");
        bench.advance(Duration.ofMillis(4));
        Replicated next = bench.replica("b", sno).step();
        SlotRecord theirs = bench.record(pool, 0);
        replica.loop.close();
        assertEquals(theirs, bench.record(pool, 0));
        assertEquals(List.of("0"), bench.leases(pool));
        assertTrue(next.serves());
        assertTrue(replica.loop.isClosed());
    }
}
