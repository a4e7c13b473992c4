package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.store.SimulatedClock;
import org.idallocator.zk.testing.Told;
import org.idallocator.zk.znode.MetaNode;
import org.idallocator.zk.znode.SlotRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a slot is claimed, and how a claim is resolved when its answer is anything but OK. */
final class ClaimTest {
    private static final String CLAIM = "multi /ids/sno/records";
    private static final String RELEASE = "multi /ids/sno/leases";
    private static final String READ_BACK = "sync /ids/sno/records";

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(1);
    private final SlotPool pool = sno.pool().orElseThrow();

    @Test
    void shouldWriteLeaseAndRecordWhenSlotIsClaimed() {
        Replicated replica = bench.replica("a", sno).step();
        Tenure tenure = replica.tenure();
        SlotRecord record = bench.record(pool, 0);
        assertEquals(0, tenure.fence().floorTick());
        assertEquals(pool.unit().tickAt(SimulatedClock.BEGINNING_MICROS) + 2_500, record.ceiling(), "one window");
        assertEquals(tenure.nonce(), record.nonce());
        assertEquals(tenure.fence().ceilingTick(), record.ceiling());
        assertFalse(record.released());
        assertEquals(List.of("0"), bench.leases(pool));
        assertTrue(tenure.isOn(replica.client.session()));
        assertEquals(
                replica.client.session().id(),
                bench.zookeeper.node("/ids/sno/leases/0").orElseThrow().owner());
    }

    @Test
    void shouldStartAboveOldCeilingWhenHolderCrashed() {
        Replicated crashed = bench.replica("a", sno).step();
        long ceiling = crashed.tenure().fence().ceilingTick();
        bench.zookeeper.expire(crashed.client.session().id());
        bench.advance(Duration.ofMillis(4));
        Replicated next = bench.replica("b", sno).step();
        assertEquals(ceiling + 1, next.tenure().fence().floorTick());
        assertEquals(0, next.draw(1), "its ticks are still ahead");
        next.stepFor(Duration.ofSeconds(11));
        assertEquals(1, next.draw(1));
    }

    /** A floor that is ahead does not count: the floor of a generation that begins now counts one window from now. */
    @Test
    void shouldReserveOneWindowFromNowWhenFloorIsAhead() {
        Replicated crashed = bench.replica("a", sno).step();
        bench.zookeeper.expire(crashed.client.session().id());
        bench.advance(Duration.ofSeconds(2));
        Replicated next = bench.replica("b", sno).step();
        assertEquals(
                bench.now().plusSeconds(10),
                pool.unit().instantAt(next.tenure().fence().ceilingTick()));
    }

    /** The last holder reserved while ZooKeeper's clock and its own were an hour ahead. */
    @Test
    void shouldClaimAnotherSlotWhenOneCannotServeForLong() {
        Scheme<?> two = Bench.sno(2);
        Replicated other = bench.replica("other", two).step();
        Replicated ahead = bench.replica("ahead", two);
        bench.leaderOff(Duration.ofHours(1));
        ahead.clock.off(Duration.ofHours(1).toNanos() / 1_000);
        ahead.step();
        bench.leaderOff(Duration.ZERO);
        bench.zookeeper.expire(ahead.client.session().id());
        Replicated next = bench.replica("next", two).step();
        assertEquals(FenceReason.COOLING, next.reason(), next.why());
        assertEquals(1, bench.leases(two.pool().orElseThrow()).size(), "it is of no use to hold the slot");
        other.loop.close();
        next.stepFor(Duration.ofSeconds(1));
        assertTrue(next.serves());
        assertEquals(1, next.draw(1));
    }

    @Test
    void shouldStartAtMetaFloorWhenThatIsHigher() {
        Instant floor = bench.now().plusSeconds(60);
        Replicated replica = bench.replica("a", sno);
        bench.meta(new MetaNode(1, "incarnation", null, floor, null, Map.of()));
        replica.step();
        assertEquals(FenceReason.COOLING, replica.reason());
        assertTrue(replica.why().endsWith("(for 60000 ms)"), replica.why());
        replica.stepFor(Duration.ofSeconds(55));
        assertEquals(floor, pool.unit().instantAt(replica.tenure().fence().floorTick()));
    }

    @ParameterizedTest
    @EnumSource(names = {"ANSWER_LOST", "REFUSED"})
    void shouldHoldSlotWhenAnswerIsLost(Fault fault) {
        for (boolean used : new boolean[] {false, true}) {
            Bench each = new Bench();
            if (used) {
                each.replica("before", sno).step().loop.close();
            }
            Replicated replica = each.replica("a", sno);
            replica.client.next(CLAIM, fault);
            replica.step();
            assertTrue(replica.serves());
            assertEquals(each.record(pool, 0).nonce(), replica.tenure().nonce());
            assertEquals(1, replica.draw(1));
        }
    }

    @Test
    void shouldReleaseSlotWhenClaimCannotBeReadBack() {
        Replicated replica = prepared();
        replica.client.faults(call -> call.startsWith(CLAIM)
                ? Fault.ANSWER_LOST
                : call.startsWith(READ_BACK) ? Fault.REQUEST_LOST : Fault.NONE);
        replica.step();
        String unresolved = bench.record(pool, 0).nonce();
        assertFalse(replica.serves());
        assertEquals(List.of("0"), bench.leases(pool));
        replica.client.answer();
        replica.stepFor(Duration.ofSeconds(1));
        assertTrue(replica.serves());
        assertNotEquals(unresolved, replica.tenure().nonce());
        assertEquals(0, replica.tenure().fence().floorTick(), "the unresolved claim issued nothing");
    }

    /**
     * What became of the claim is known only when it is released: its record and lease are there. Where the answer to
     * that is lost, too, the next try finds nothing of either, and the release is told all the same.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTellOfTheReleaseWhenClaimTurnsOutToHaveBeenMade(boolean answerToReleaseIsLost) {
        Replicated replica = prepared();
        replica.client.faults(call -> call.startsWith(CLAIM)
                ? Fault.ANSWER_LOST
                : call.startsWith(READ_BACK) ? Fault.REQUEST_LOST : Fault.NONE);
        try (Told told = Told.inTheRoomOf(LeaseLog.class)) {
            replica.step();
            replica.client.answer();
            if (answerToReleaseIsLost) {
                replica.client.next(RELEASE, Fault.ANSWER_LOST);
            }
            replica.stepFor(Duration.ofSeconds(1));

            assertTrue(replica.serves());
            assertEquals(List.of("released", "claimed"), changes(told));
        }
    }

    /**
     * The request is lost, and so is the answer to what became of it, for a moment or until the claim's deadline is
     * past. The slot's last holder has left a snapshot, from which the next tenure goes on.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 20})
    void shouldLeaveTheLastHoldersRecordWhenClaimWasNeverMade(long outageSeconds) {
        Replicated before = bench.replica("before", sno).step();
        assertEquals(1, before.draw(1));
        before.loop.close();
        SlotRecord left = bench.record(pool, 0);
        assertNotNull(left.snapshot());
        List<String> written = new ArrayList<>();
        bench.zookeeper.onWrite((path, data, created) -> {
            if (path.equals("/ids/sno/records/0")) {
                written.add(data);
            }
        });
        Replicated replica = bench.replica("a", sno);
        replica.client.faults(
                call -> call.startsWith(CLAIM) || call.startsWith(READ_BACK) ? Fault.REQUEST_LOST : Fault.NONE);
        try (Told told = Told.inTheRoomOf(LeaseLog.class)) {
            replica.stepFor(Duration.ofSeconds(outageSeconds));
            replica.client.answer();
            replica.stepFor(Duration.ofMillis(100));
            assertEquals(List.of("claimed"), changes(told));
        }
        assertEquals(List.of(bench.data("/ids/sno/records/0")), written, "the claim alone");
        assertTrue(replica.serves());
        long floor = replica.tenure().fence().floorTick();
        boolean mayHaveForgotten = Duration.ofSeconds(outageSeconds).compareTo(Terms.RESTORE) > 0;
        assertEquals(mayHaveForgotten, floor > left.ceiling(), "goes on where the last holder stopped");
    }

    /** What was told of leases, in order. */
    private static List<String> changes(Told told) {
        return told.events().stream()
                .filter(event -> event.getLoggerName().equals(LeaseLog.class.getName()))
                .map(event -> event.getFormattedMessage().replaceFirst("lease (\\w+) .*", "$1"))
                .toList();
    }

    @Test
    void shouldClaimOnNextSessionWhenSessionEndsAmidClaim() {
        Replicated replica = prepared();
        long first = replica.client.session().id();
        replica.client.next(CLAIM, Fault.RESENT_ON_NEXT_SESSION);
        replica.stepFor(Duration.ofSeconds(2));
        assertNotEquals(first, replica.client.session().id());
        assertTrue(replica.serves());
        assertEquals(List.of("0"), bench.leases(pool));
    }

    @Test
    void shouldClaimNothingWhenStrangerWasFaster() {
        Replicated replica = prepared();
        replica.amid(CLAIM, Fault.NONE, () -> bench.replica("b", sno).step());
        replica.step();
        assertFalse(replica.serves());
        assertEquals(1, bench.leases(pool).size());
    }

    @Test
    void shouldMakeRecordWithTheClaimWhenSlotWasNeverUsed() {
        Replicated replica = bench.replica("a", sno);
        int[] claims = {0};
        replica.client.faults(call -> {
            claims[0] += call.startsWith(CLAIM) ? 1 : 0;
            return Fault.NONE;
        });
        assertTrue(replica.step().serves());
        assertEquals(1, claims[0]);
        assertEquals(1, bench.version("/ids/sno/records/0"), "as after a claim of a record");
    }

    /**
     * The stranger has come and gone: no lease is in the way, and a claim that took the slot for new would own its
     * ticks too.
     */
    @Test
    void shouldClaimNothingWhenStrangerUsedTheNewSlotMeanwhile() {
        Replicated replica = bench.replica("a", sno);
        replica.amid(CLAIM, Fault.NONE, () -> {
            Replicated stranger = bench.replica("b", sno).step();
            assertEquals(1, stranger.draw(1));
            stranger.loop.close();
        });
        replica.step();
        assertFalse(replica.serves());
        assertTrue(bench.leases(pool).isEmpty());
        assertTrue(bench.record(pool, 0).released(), "the stranger's record is as it was left");
    }

    /** The lease would be another session's than it says. */
    @Test
    void shouldClaimNothingOnAnotherSessionThanItsOwn() {
        Replicated replica = prepared();
        replica.changeSessionAmid(CLAIM);
        replica.step();
        assertEquals(List.of(), bench.leases(pool));
        replica.step();
        assertTrue(replica.serves());
    }

    /**
     * A replica of a slot that another one made and released before, so that a claim has only lease and record to
     * write.
     */
    private Replicated prepared() {
        bench.replica("before", sno).step().loop.close();
        assertTrue(bench.leases(pool).isEmpty());
        return bench.replica("a", sno);
    }

    @ParameterizedTest
    @CsvSource({"3001, ahead of", "-3000, behind"})
    void shouldWriteNothingToSlotWhenClockIsOff(long offMillis, String off) {
        Replicated replica = bench.replica("a", sno);
        replica.clock.off(offMillis * 1_000);
        replica.step();
        assertEquals(FenceReason.CLOCK_SKEW, replica.reason());
        assertEquals(
                "the clock is too far from ZooKeeper's; correct the clock (the clock is 3000 ms " + off
                        + " ZooKeeper's, allowed are 2000 ms)",
                replica.why());
        assertTrue(bench.leases(pool).isEmpty());
        assertTrue(bench.zookeeper.children(Bench.TREE.records(pool)).isEmpty());
    }

    @Test
    void shouldClaimWhenSomebodyRemovedAllLeases() {
        Replicated replica = bench.replica("a", sno).step();
        bench.zookeeper.delete(Bench.TREE.leases(pool));
        replica.stepFor(Duration.ofSeconds(30));
        assertTrue(replica.serves());
        assertEquals(List.of("0"), bench.leases(pool));
    }

    /** Slots whose records are gone may have been used, and do not count as new. */
    @Test
    void shouldServeNothingWhenSomebodyRemovedAllRecords() {
        Replicated replica = bench.replica("a", sno).step();
        bench.zookeeper.delete(Bench.TREE.records(pool));
        replica.stepFor(Duration.ofSeconds(30));
        assertFalse(replica.serves());
        assertEquals(FenceReason.ROLLED_BACK, replica.reason());
        assertEquals(
                FenceReason.META_GONE, bench.replica("b", sno).step().reason(), "the loss is proven, and told to all");
    }

    /** The same where nobody held a slot. Nobody can prove a loss, but a pool cannot have a layout and no records. */
    @Test
    void shouldSayWhatIsLostWhenRecordsAreGoneAndNobodyHeldAny() {
        bench.replica("a", sno).step().loop.close();
        bench.zookeeper.delete(Bench.TREE.records(pool));
        Replicated late = bench.replica("b", sno).step();
        assertEquals(FenceReason.ROLLED_BACK, late.reason());
        assertTrue(late.why().endsWith("run fence-restore (/ids/sno/records is gone)"), late.why());
        OnStore.fenceRestore(bench.access(), FenceRestore.Options.none());
        late.stepFor(Duration.ofSeconds(90));
        assertTrue(late.serves(), "whatever schemes the operator's file has");
    }

    /**
     * Of a process that is copied between the two, both copies know the bits: until when each may issue is settled by
     * then.
     */
    @Test
    void shouldCountDeadlineFromBeforeTheBitsOfTheWriteAreDrawn() {
        Replicated replica = prepared();
        long asked = replica.clock.nanos();
        replica.whenBitsAreDrawn(() -> bench.advance(Duration.ofSeconds(1)));
        replica.step();
        assertEquals(Duration.ofSeconds(10).toNanos(), replica.tenure().fence().deadlineNanos() - asked);
    }

    /** The clock may jump between any two readings: what is reserved goes by the reading that was judged. */
    @Test
    void shouldNotReserveYearWhenClockJumps() {
        for (int readings = 0; readings < 60; readings++) {
            Bench each = new Bench();
            each.replica("before", sno).step().loop.close();
            Replicated jumping = each.replica("a", sno);
            jumping.jumpAfter(readings);
            jumping.step();
            Instant reserved = each.record(pool, 0).reservedThrough();
            assertTrue(reserved.isBefore(each.now().plusSeconds(60)), readings + " readings: " + reserved);
        }
    }
}
