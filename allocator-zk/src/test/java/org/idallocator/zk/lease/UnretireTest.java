package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.Holder;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.operator.RefusedException;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.SlotRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A slot that was retired comes back above all that was reserved of it. */
final class UnretireTest {
    private static final Instant NOWHERE = Instant.EPOCH;

    private static final Duration FARTHEST = Terms.farthest();

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(1);

    private ClusterView view() {
        return ClusterView.on(bench.access(sno));
    }

    /** The same, by a client whose calls may fail. */
    private ClusterView by(Replicated operator) {
        return ClusterView.on(operator.access(sno));
    }

    /** A slot that was used and is retired, and an operator who may put it back. */
    private Replicated retired() {
        Replicated operator = bench.replica("operator", sno);
        bench.replica("a", sno).step().loop.close();
        view().retire(sno, 0);
        return operator;
    }

    private static String refused(Executable command) {
        return String.valueOf(assertThrows(RefusedException.class, command).getMessage());
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
        long ceiling = holder.tenure().fence().ceilingTick();
        holder.client.connected(false);
        Instant until = view().retire(sno, 0).issuingUntil();
        assertEquals(FARTHEST, Duration.between(bench.now(), until));

        assertEquals(until, view().unretire(sno, 0, NOWHERE));
        assertEquals(until, reservedThrough());
        assertEquals(LeaseView.State.COOLING, view().lease(sno, 0).state());
        assertTrue(holder.draw(1) == 1, "cut off, it serves on");
        Replicated next = bench.replica("b", sno).stepFor(FARTHEST);
        assertTrue(next.serves());
        assertTrue(next.tenure().fence().floorTick() > ceiling);
    }

    /**
     * Somebody edited the record, or it came back with a backup, or it is gone and nothing tells that it was deleted.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldBeginAboveWhatACutOffHolderMayIssueWhenTheRecordSaysTooLittle(boolean missing) {
        Replicated holder = bench.replica("a", sno).step();
        long ceiling = holder.tenure().fence().ceilingTick();
        holder.client.connected(false);
        if (missing) {
            bench.zookeeper.delete("/ids/sno/records");
            bench.zookeeper.ensure("/ids/sno/records");
        } else {
            bench.zookeeper.set("/ids/sno/records/0", Json.write(SlotRecord.unused()));
        }
        view().retire(sno, 0);
        view().unretire(sno, 0, NOWHERE);

        assertTrue(record().ceiling() >= ceiling, record() + " is below " + ceiling);
    }

    @Test
    void shouldServeWhenOneMoreReplicaFoundNoSlotBefore() {
        retired();
        Replicated waiting = bench.replica("a", sno).stepFor(Duration.ofSeconds(1));
        assertEquals(FenceReason.NO_FREE_SLOT, waiting.reason());

        view().unretire(sno, 0, NOWHERE);
        waiting.letPass(Duration.ofSeconds(1));
        assertEquals(FenceReason.COOLING, waiting.reason());
        waiting.letPass(FARTHEST);
        assertTrue(waiting.serves());
        assertEquals(1, waiting.draw(1));
    }

    @Test
    void shouldBeginAboveWhatWasIssuedElsewhere() {
        retired();
        Instant used = bench.now().plus(FARTHEST).plusSeconds(30);

        Instant begins = view().unretire(sno, 0, used);
        assertTrue(begins.isAfter(used), begins + " is not after " + used);
        assertTrue(Duration.between(used, begins).toMillis() <= 4, "and no more than a tick after");
    }

    /** The other slots go on. */
    @Test
    void shouldConcernNoOtherSlotWhenUsedElsewhereUntilFarAhead() {
        Scheme<?> two = Bench.sno(2);
        Replicated first = bench.replica("first", two).step();
        long other = 1 - first.tenure().slot().number();
        ClusterView view = ClusterView.on(bench.access(two));
        view.retire(two, other);
        view.unretire(two, other, bench.now().plus(Duration.ofDays(1)));
        first.loop.close();

        Replicated next = bench.replica("next", two).step();
        assertTrue(next.serves());
        assertEquals(1 - other, next.tenure().slot().number());
        String why = refused(() -> OnStore.relayout(bench.access(Bench.sno(4)), Bench.sno(4), true));
        assertTrue(why.contains("leases unretire was given a late --used-until"), why);
    }

    @Test
    void shouldRefuseWhatIsNotRetired() {
        bench.replica("a", sno).step();
        String why = "sno slot 0 is not retired; nothing was changed";
        assertEquals(why, refused(() -> view().unretire(sno, 0, NOWHERE)));
        view().retire(sno, 0);
        view().unretire(sno, 0, NOWHERE);
        assertEquals(why, refused(() -> view().unretire(sno, 0, NOWHERE)), "a second time");
    }

    @Test
    void shouldRefuseWhenNoTimeIsLeft() {
        retired();
        for (Instant far : List.of(Instant.MAX, Instant.parse("2079-09-07T16:00:00Z"))) {
            assertEquals(
                    "sno slot 0 has no time left: all is used up to " + far + "; nothing was changed",
                    refused(() -> view().unretire(sno, 0, far)));
        }
        assertTrue(record().isRetired());
    }

    /**
     * In a new layout the number means other IDs, whose floor is the generation's. And where a replica has found that
     * ZooKeeper lost what it acknowledged, it takes meta away: records say less than was issued.
     */
    @ParameterizedTest
    @EnumSource(names = {"LAYOUT_MISMATCH", "META_GONE"})
    void shouldChangeNothingWhenLayoutOrIncarnationEndsMeanwhile(FenceReason reason) {
        Replicated operator = retired();
        if (reason == FenceReason.META_GONE) {
            operator.amid("multi", Fault.NONE, () -> bench.zookeeper.delete("/ids/meta"));
        } else {
            operator.amid(
                    "read /ids/sno/records/0",
                    Fault.NONE,
                    () -> OnStore.relayout(bench.access(Bench.sno(4)), Bench.sno(4), true));
        }
        FencedException e =
                assertThrows(FencedException.class, () -> by(operator).unretire(sno, 0, NOWHERE));

        assertEquals(reason, e.reason());
        assertTrue(record().isRetired());
    }

    /** The slot was retired anew, by somebody who knew more. */
    @Test
    void shouldGoByTheRecordThatIsThereWhenItWasWrittenMeanwhile() {
        Replicated operator = retired();
        Instant used = bench.now().plus(FARTHEST).plusSeconds(30);
        operator.amid("multi", Fault.NONE, () -> {
            view().unretire(sno, 0, used);
            view().retire(sno, 0);
        });

        Instant begins = by(operator).unretire(sno, 0, NOWHERE);
        assertTrue(begins.isAfter(used), begins + " is not after " + used);
    }

    @ParameterizedTest
    @EnumSource(names = {"ANSWER_LOST", "REQUEST_LOST", "ABANDONED", "REFUSED"})
    void shouldBeDoneWhenAnswerIsLost(Fault fault) {
        Replicated operator = retired();
        Instant until = record().reservedThrough();
        operator.client.next("multi", fault);

        assertEquals(until, by(operator).unretire(sno, 0, NOWHERE));
        SlotRecord back = record();
        assertFalse(back.isRetired());
        List.copyOf(bench.zookeeper.onTheWay()).forEach(Runnable::run);
        assertEquals(back, record(), "what was on its way all the time");
    }

    /** When the command looks again, a replica has claimed the slot already: the record carries that tenure's name. */
    @Test
    void shouldSayThatItIsDoneWhenSlotIsClaimedBeforeItLooksAgain() {
        Replicated operator = retired();
        Instant until = record().reservedThrough();
        bench.advance(FARTHEST);
        Replicated waiting = bench.replica("b", sno);
        operator.client.next("multi", Fault.ANSWER_LOST);
        operator.client.between(() -> {
            if (!waiting.serves() && !record().isRetired()) {
                waiting.step();
            }
        });

        assertEquals(until, by(operator).unretire(sno, 0, NOWHERE));
        assertTrue(waiting.serves());
    }

    /** Somebody else was faster, who knew less: this command's promise counts for nothing. */
    @Test
    void shouldSayThatNothingWasChangedWhenSomebodyElsePutTheSlotBackLower() {
        Replicated operator = retired();
        Instant used = bench.now().plus(FARTHEST).plusSeconds(30);
        operator.amid("multi", Fault.NONE, () -> view().unretire(sno, 0, NOWHERE));
        assertEquals(
                "sno slot 0 is not retired; nothing was changed",
                refused(() -> by(operator).unretire(sno, 0, used)));
    }

    /** This happens to the write, and after that nothing passes. */
    private static void cutOffAfter(Replicated operator, Fault fault) {
        operator.client.faults(call -> {
            if (!call.contains("multi /ids/sno/records/0")) {
                return Fault.NONE;
            }
            operator.client.faults(next -> Fault.REQUEST_LOST);
            return fault;
        });
    }

    /** Nobody can look what became of the write. */
    @Test
    void shouldSayThatItMayBeDoneWhenConnectionIsLost() {
        Replicated operator = retired();
        cutOffAfter(operator, Fault.ANSWER_LOST);
        UnreachableException e =
                assertThrows(UnreachableException.class, () -> by(operator).unretire(sno, 0, NOWHERE));

        assertTrue(
                String.valueOf(e.getMessage())
                        .startsWith(
                                "sno slot 0 may have been changed, or may be changed yet: the answer to the write was"
                                        + " lost; look with leases show"),
                e.getMessage());
        assertFalse(record().isRetired());
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

    /**
     * An operator's write was on its way while ZooKeeper was restored, or the layout changed: the record has its
     * version still.
     */
    @ParameterizedTest
    @CsvSource({"retire, fence-restore", "retire, relayout", "unretire, fence-restore", "unretire, relayout"})
    void shouldRefuseWhatAnOperatorSentBefore(String command, String meanwhile) {
        Replicated operator = bench.replica("operator", sno);
        bench.replica("a", sno).step().loop.close();
        if (command.equals("unretire")) {
            view().retire(sno, 0);
        }
        cutOffAfter(operator, Fault.ABANDONED);
        ClusterView cutOff = by(operator);
        assertThrows(
                UnreachableException.class,
                () -> Objects.requireNonNull(
                        command.equals("retire") ? cutOff.retire(sno, 0) : cutOff.unretire(sno, 0, NOWHERE)));
        assertEquals(1, bench.zookeeper.onTheWay().size());
        if (meanwhile.equals("relayout")) {
            OnStore.relayout(bench.access(Bench.sno(4)), Bench.sno(4), true);
        } else {
            OnStore.fenceRestore(bench.access(sno), FenceRestore.Options.none());
        }
        SlotRecord before = record();
        List.copyOf(bench.zookeeper.onTheWay()).forEach(Runnable::run);

        assertEquals(before, record());
    }

    /** A person was told that nobody holds the slot, and has agreed to that. */
    @Test
    void shouldLeaveTheSlotAloneWhenSomebodyClaimsItAfterTheQuestion() {
        bench.replica("first", sno).step().loop.close();
        Holder shown = view().holder(sno, 0);
        assertEquals(Holder.nobody(), shown);
        Replicated operator = bench.replica("operator", sno);
        Replicated holder = bench.replica("a", sno);
        operator.amid("multi /ids/sno/records", Fault.NONE, holder::step);
        String why = refused(() -> by(operator).retire(sno, 0, now -> now.isAs(shown)));

        assertEquals(
                "sno slot 0 is held by a on host (tenure " + holder.tenure().nonce() + ") now; it was left alone", why);
        holder.step();
        assertTrue(holder.serves());
    }

    @Test
    void shouldSayWhenTheLeaseCannotBeReadAndBindThatToo() {
        Replicated holder = bench.replica("a", sno).step();
        String lease = bench.data("/ids/sno/leases/0");
        bench.zookeeper.set("/ids/sno/leases/0", "no JSON");
        Holder shown = view().holder(sno, 0);
        assertEquals("somebody unknown (/ids/sno/leases/0 does not hold a lease node)", shown.inWords());

        bench.zookeeper.set("/ids/sno/leases/0", lease);
        assertThrows(RefusedException.class, () -> view().retire(sno, 0, now -> now.isAs(shown)));
        bench.zookeeper.set("/ids/sno/leases/0", "no JSON");
        assertThrows(
                RefusedException.class,
                () -> view().retire(sno, 0, now -> now.isTenure(holder.tenure().nonce())));
        view().retire(sno, 0, now -> now.isAs(shown));
        assertTrue(record().isRetired());
    }

    @Test
    void shouldLeaveTheSlotAloneWhenAnotherTenureHoldsIt() {
        Replicated holder = bench.replica("a", sno).step();
        assertEquals(
                "sno slot 0 is held by a on host (tenure " + holder.tenure().nonce() + ") now; it was left alone",
                refused(() -> view().retire(sno, 0, now -> now.isTenure("another"))));
        holder.step();
        assertTrue(holder.serves());
        assertEquals(
                "a",
                Objects.requireNonNull(view().retire(
                                        sno,
                                        0,
                                        now -> now.isTenure(holder.tenure().nonce()))
                                .holder())
                        .instance());
    }
}
