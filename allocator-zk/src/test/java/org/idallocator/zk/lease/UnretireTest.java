package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.operator.RefusedException;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.junit.jupiter.api.Test;

/** A slot that was retired comes back above all that was reserved of it. */
final class UnretireTest {
    private static final Instant NOWHERE = Instant.EPOCH;

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(1);

    private ClusterView view() {
        return ClusterView.on(bench.access(sno));
    }

    private SlotRecord record() {
        return bench.record(sno.pool().orElseThrow(), 0);
    }

    private Instant reservedThrough() {
        return record().reservedThrough(sno.pool().orElseThrow().unit());
    }

    /** The holder is cut off when its slot is retired, and serves on up to its ceiling. */
    @Test
    void shouldBeginAboveWhatACutOffHolderMayIssue() {
        Replicated holder = bench.replica("a", sno).step();
        Instant through = holder.tenure().reservedThrough();
        long ceiling = holder.tenure().fence().ceilingTick();
        holder.client.connected(false);
        assertEquals(through, view().retire(sno, 0).issuingUntil());

        assertEquals(through, view().unretire(sno, 0, NOWHERE));
        assertEquals(through, reservedThrough());
        assertEquals(LeaseView.State.COOLING, view().lease(sno, 0).state());
        Replicated next = bench.replica("b", sno).stepFor(Duration.ofSeconds(1));
        assertTrue(holder.draw(1) == 1, "cut off, it serves on");
        assertEquals(ceiling + 1, next.tenure().fence().floorTick());
    }

    @Test
    void shouldServeWhenOneMoreReplicaFoundNoSlotBefore() {
        bench.replica("first", sno).step().loop.close();
        view().retire(sno, 0);
        Replicated waiting = bench.replica("a", sno).stepFor(Duration.ofSeconds(1));
        assertEquals(FenceReason.NO_FREE_SLOT, waiting.reason());

        view().unretire(sno, 0, NOWHERE);
        waiting.letPass(Duration.ofSeconds(1));
        assertTrue(waiting.serves());
        assertEquals(1, waiting.draw(1));
    }

    @Test
    void shouldBeginAboveWhatWasIssuedElsewhere() {
        bench.replica("first", sno).step().loop.close();
        view().retire(sno, 0);
        Instant used = bench.now().plusSeconds(30);

        Instant begins = view().unretire(sno, 0, used);
        assertTrue(begins.isAfter(used), begins + " is not after " + used);
        assertTrue(Duration.between(used, begins).toMillis() <= 4, "and no more than a tick after");
    }

    @Test
    void shouldServeFromTheBeginningWhenSlotWasNeverUsed() {
        bench.replica("first", Bench.sno(2)).step();
        ClusterView view = ClusterView.on(bench.access(Bench.sno(2)));
        long unused = view.lease(Bench.sno(2), 0).lease() == null ? 0 : 1;
        view.retire(Bench.sno(2), unused);

        view.unretire(Bench.sno(2), unused, NOWHERE);
        assertEquals(-1, bench.record(Bench.sno(2).pool().orElseThrow(), unused).ceiling());
        assertEquals(LeaseView.State.FREE, view.lease(Bench.sno(2), unused).state());
    }

    /** The record could not be read when the slot was retired: the longest that anybody may have reserved counts. */
    @Test
    void shouldCountTheLongestWindowWhenRecordCouldNotBeRead() {
        bench.replica("a", sno).step();
        bench.zookeeper.set("/ids/sno/records/0", "no JSON");
        Instant until = Objects.requireNonNull(view().retire(sno, 0).issuingUntil());

        assertTrue(!view().unretire(sno, 0, NOWHERE).isBefore(until));
    }

    @Test
    void shouldRefuseWhatIsNotRetired() {
        bench.replica("a", sno).step();
        RefusedException held = assertThrows(RefusedException.class, () -> view().unretire(sno, 0, NOWHERE));
        assertEquals("sno slot 0 is not retired; nothing was changed", held.getMessage());
        SlotRecord before = record();
        view().retire(sno, 0);
        view().unretire(sno, 0, NOWHERE);
        assertThrows(RefusedException.class, () -> view().unretire(sno, 0, NOWHERE), "a second time");
        assertNotEquals(before, record());
    }

    @Test
    void shouldRefuseWhenNoTimeIsLeft() {
        bench.replica("a", sno).step();
        view().retire(sno, 0);
        for (Instant far : List.of(Instant.MAX, Instant.parse("2079-09-07T16:00:00Z"))) {
            RefusedException e = assertThrows(RefusedException.class, () -> view().unretire(sno, 0, far));
            assertEquals(
                    "sno slot 0 has no time left: all is used up to " + far + "; nothing was changed", e.getMessage());
        }
        assertTrue(record().isRetired());
    }

    /** In the new layout the number means other IDs, whose floor is the generation's. */
    @Test
    void shouldChangeNothingWhenLayoutChangesMeanwhile() {
        Replicated operator = bench.replica("operator", sno);
        bench.replica("a", sno).step();
        view().retire(sno, 0);
        operator.amid(
                "read /ids/sno/records/0",
                Fault.NONE,
                () -> OnStore.relayout(bench.access(Bench.sno(4)), Bench.sno(4), true));
        FencedException e = assertThrows(
                FencedException.class,
                () -> ClusterView.on(operator.access(sno)).unretire(sno, 0, NOWHERE));

        assertEquals(FenceReason.LAYOUT_MISMATCH, e.reason());
        assertTrue(record().isRetired());
    }

    /** A replica has found that ZooKeeper lost what it acknowledged, and takes meta away: records say less than was issued. */
    @Test
    void shouldChangeNothingWhenTheIncarnationEndsMeanwhile() {
        Replicated operator = bench.replica("operator", sno);
        bench.replica("a", sno).step();
        view().retire(sno, 0);
        operator.amid("multi", Fault.NONE, () -> bench.zookeeper.delete("/ids/meta"));
        FencedException e = assertThrows(
                FencedException.class,
                () -> ClusterView.on(operator.access(sno)).unretire(sno, 0, NOWHERE));

        assertEquals(FenceReason.META_GONE, e.reason());
        assertTrue(record().isRetired());
    }

    /** The slot was retired anew, by somebody who knew more. */
    @Test
    void shouldGoByTheRecordThatIsThereWhenItWasWrittenMeanwhile() {
        Replicated operator = bench.replica("operator", sno);
        bench.replica("a", sno).step();
        view().retire(sno, 0);
        Instant used = bench.now().plusSeconds(30);
        operator.amid("multi", Fault.NONE, () -> {
            view().unretire(sno, 0, used);
            view().retire(sno, 0);
        });

        Instant begins = ClusterView.on(operator.access(sno)).unretire(sno, 0, NOWHERE);
        assertTrue(begins.isAfter(used), begins + " is not after " + used);
    }

    /** The transaction was made, its answer was lost, and the client's repetition is refused. */
    @Test
    void shouldBeDoneWhenItComesBackAsConflict() {
        Replicated operator = bench.replica("operator", sno);
        Replicated holder = bench.replica("a", sno).step();
        Instant through = holder.tenure().reservedThrough();
        view().retire(sno, 0);
        operator.client.next("multi", Fault.REPEATED);

        assertEquals(through, ClusterView.on(operator.access(sno)).unretire(sno, 0, NOWHERE));
    }

    /** A renewal that was on its way when the slot was retired arrives after the slot came back. */
    @Test
    void shouldRefuseWhatAnEarlierHolderSentBefore() {
        Replicated holder = bench.replica("a", sno).step();
        holder.client.next("multi", Fault.ABANDONED);
        holder.letPass(Duration.ofSeconds(3));
        assertEquals(1, bench.zookeeper.onTheWay().size());
        view().retire(sno, 0);
        view().unretire(sno, 0, NOWHERE);
        SlotRecord before = record();
        List.copyOf(bench.zookeeper.onTheWay()).forEach(Runnable::run);

        assertEquals(before, record());
    }

    @Test
    void shouldLeaveTheSlotAloneWhenAnotherTenureHoldsIt() {
        Replicated holder = bench.replica("a", sno).step();
        RefusedException e = assertThrows(RefusedException.class, () -> view().retire(sno, 0, "another"));
        assertEquals("the slot is held by another tenure than another; it was left alone", e.getMessage());
        holder.step();
        assertTrue(holder.serves());
        assertEquals(
                "a",
                Objects.requireNonNull(
                                view().retire(sno, 0, holder.tenure().nonce()).holder())
                        .instance());
    }
}
