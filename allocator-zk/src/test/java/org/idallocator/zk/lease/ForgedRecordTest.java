package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.Draw;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.testing.Told;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody who is no replica writes the record of a slot that serves: what its holder used, no tenure uses again. */
final class ForgedRecordTest {
    private static final String RECORD = "/ids/sno/records/0";
    private static final String LEASE = "/ids/sno/leases/0";
    private static final String RELEASE = "multi " + LEASE;
    private static final String CLAIM = "multi " + RECORD;
    private static final Duration TICK = Duration.ofMillis(4);
    private static final Duration QUARTER = Duration.ofMillis(2_500);
    private static final Duration CLAIMED_ANEW = Duration.ofSeconds(1);

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(1);
    private final SlotPool pool = sno.pool().orElseThrow();
    private final Replicated replica = bench.replica("a", sno);
    private Tenure tenure;
    private Set<Sno> before;
    private long last;

    @BeforeEach
    void serve() {
        bench.advance(Duration.ofSeconds(5));
        tenure = replica.step().tenure();
        before = draw(replica);
        last = pool.unit().tickAt(replica.clock.micros());
    }

    private static Set<Sno> draw(Replicated from) {
        List<Sno> ids = new ArrayList<>();
        var unused = Draw.of(from.slots(0).current(), 3, Variant.NONE, (high, low) -> ids.add(new Sno(high, low)));
        assertEquals(3, ids.size());
        return new HashSet<>(ids);
    }

    /** The slot was released a second ago, says the stranger. */
    private SlotRecord forged(String nonce) {
        return SlotRecord.released(pool.unit(), last - pool.unit().ticksIn(Duration.ofSeconds(1)), nonce);
    }

    private void forge() {
        bench.zookeeper.set(RECORD, Json.write(forged("forged")));
    }

    /** Has this happen just before the next claim arrives. A renewal writes the record, too, but has a lease. */
    private void amidClaim(Runnable what) {
        replica.client.faults(call -> {
            if (call.equals(CLAIM) && bench.leases(pool).isEmpty()) {
                replica.client.answer();
                what.run();
            }
            return Fault.NONE;
        });
    }

    /** The next renewal finds what somebody wrote; then the slot is released, and claimed anew. */
    private void findOut() {
        replica.stepFor(QUARTER);
    }

    private void assertRaised() {
        assertEquals(last, bench.record(pool, 0).ceiling());
        assertTrue(bench.record(pool, 0).released());
        assertNull(bench.record(pool, 0).snapshot());
    }

    private void assertRepeatsNothing(Set<Sno> after) {
        after.retainAll(before);
        assertEquals(Set.of(), after);
    }

    private void assertDisjoint(Replicated next) {
        assertEquals(last + 1, next.tenure().fence().floorTick());
        bench.advance(TICK);
        assertRepeatsNothing(draw(next));
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, false", "false, true"})
    void shouldRaiseForgedRecordBeforeAnyoneClaimsTheSlot(boolean underItsOwnName, boolean leaseIsTakenAway) {
        bench.zookeeper.set(RECORD, Json.write(forged(underItsOwnName ? tenure.nonce() : "forged")));
        if (leaseIsTakenAway) {
            bench.zookeeper.delete(LEASE);
        }
        replica.loop.close();
        assertRaised();
        assertTrue(bench.leases(pool).isEmpty());
        assertDisjoint(bench.replica("b", sno).step());
    }

    /** What the process knows by itself is all that is left. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotRepeatItselfWhenItClaimsTheSlotAgain(boolean raisedRecordIsForgedAgain) {
        forge();
        if (raisedRecordIsForgedAgain) {
            amidClaim(this::forge);
        }
        findOut();
        replica.stepFor(CLAIMED_ANEW);
        assertTrue(replica.serves());
        assertDisjoint(replica);
    }

    /** An earlier state of the same tick comes back, which another tenure could go on from. */
    @Test
    void shouldNotRepeatItselfWhenAnEarlierStateComesBackTwice() {
        String earlier = drainedAndResumed();
        bench.zookeeper.set(RECORD, earlier);
        amidClaim(() -> {
            assertRaised();
            bench.zookeeper.set(RECORD, earlier);
        });
        findOut();
        replica.stepFor(CLAIMED_ANEW);
        assertDisjoint(replica);
    }

    /** Returns the record that was left in the same tick, before more was drawn. */
    private String drainedAndResumed() {
        var unused = Bench.drain(replica.state);
        replica.step();
        String earlier = bench.data(RECORD);
        replica.state.resume();
        before.addAll(draw(replica.step()));
        return earlier;
    }

    /** The own record that hands over is no forgery, although nobody said that it was written. */
    @Test
    void shouldKeepSnapshotWhenAnswerToReleaseIsLost() {
        loseAnswerToRelease();
        assertThrows(StoreException.class, replica.loop::close);
        replica.client.answer();
        replica.loop.close();
        assertEquals(last, bench.record(pool, 0).ceiling());
        assertNotNull(bench.record(pool, 0).snapshot());
    }

    /** It reads back what it has raised itself, and must not take the tenure for one that ended in order. */
    @Test
    void shouldNotRepeatItselfWhenForgedAgainAfterARaiseWhoseAnswerIsLost() {
        forge();
        loseAnswerToRelease();
        bench.advance(QUARTER);
        replica.stepUntil(() -> bench.leases(pool).isEmpty());
        assertRaised();
        amidClaim(this::forge);
        replica.stepFor(CLAIMED_ANEW);
        assertDisjoint(replica);
    }

    /** The next release is made, and nothing is answered from then on. */
    private void loseAnswerToRelease() {
        AtomicBoolean sent = new AtomicBoolean();
        replica.client.faults(call -> {
            if (sent.get()) {
                return Fault.REQUEST_LOST;
            }
            sent.set(call.contains(RELEASE));
            return sent.get() ? Fault.ANSWER_LOST : Fault.NONE;
        });
    }

    /** A release is conditional on the record that it found, which is another's by now. */
    @Test
    void shouldRaiseWhenForgedAmidRelease() {
        replica.amid(RELEASE, Fault.NONE, this::forge);
        replica.loop.close();
        assertTrue(replica.loop.isClosed());
        assertRaised();
    }

    @Test
    void shouldRaiseAgainWhenForgedAmidRelease() {
        forge();
        replica.amid(RELEASE, Fault.NONE, this::forge);
        replica.loop.close();
        assertTrue(replica.loop.isClosed());
        assertRaised();
    }

    @Test
    void shouldTellAndTryAgainWhenRecordMayNotBeRaised() {
        try (Told told = Told.inTheRoomOf(Releaser.class)) {
            forge();
            bench.zookeeper.forbid(RECORD::equals);
            findOut();
            assertEquals(forged("forged"), bench.record(pool, 0));
            assertEquals(List.of("0"), bench.leases(pool), "nobody else may have it");
            assertEquals(1, told.warnings(tenure + ": " + RECORD).size());
            bench.zookeeper.forbid(path -> false);
            replica.stepFor(Duration.ofSeconds(1));
            assertEquals(1, told.warnings("lease raised scheme=sno slot=0").size());
        }
        assertTrue(replica.serves());
        assertEquals(last + 1, replica.tenure().fence().floorTick());
    }

    /** It reserves all that was used: a tenure that follows is in no danger. */
    @Test
    void shouldLeaveRecordThatReservesEnough() {
        SlotRecord theirs = SlotRecord.released(pool.unit(), last, "theirs");
        bench.zookeeper.set(RECORD, Json.write(theirs));
        replica.loop.close();
        assertEquals(theirs, bench.record(pool, 0));
    }

    /** Nothing is remembered of a slot that was released in order: the next tenure goes on in the same tick. */
    @Test
    void shouldGoOnInTheSameTickWhenReleasedAndClaimedAgain() {
        var unused = Bench.drain(replica.state);
        replica.step();
        replica.state.resume();
        replica.step();
        Set<Sno> after = draw(replica);
        assertTrue(after.stream().allMatch(id -> id.timestampUnits() == last));
        assertRepeatsNothing(after);
    }

    @Test
    void shouldKnowWhatItMayHaveIssued() {
        IssuedTicks own = new IssuedTicks();
        assertEquals(0, own.first(tenure.slot()));
        own.add(tenure);
        assertEquals(tenure.fence().ceilingTick() + 1, own.first(tenure.slot()), "it may still issue");
        var unused = tenure.end(FencedException.of(FenceReason.LEASE_GONE, ""));
        assertEquals(tenure.fence().ceilingTick() + 1, own.first(tenure.slot()), "a thread may be about to");
        tenure.close();
        assertEquals(last + 1, own.first(tenure.slot()));
        own.remove(tenure, false);
        assertEquals(last + 1, own.first(tenure.slot()));
        assertEquals(0, own.first(new Slot(sno, pool, 1)));
        own.remove(tenure, true);
        assertEquals(0, own.first(tenure.slot()));
    }

    /** Only the ceiling is another one, a year ahead: nonce and all else are copied. */
    private void copy() {
        long ceiling = last + pool.unit().ticksIn(Duration.ofDays(365));
        SlotRecord copied = SlotRecord.reserved(pool.unit(), ceiling, tenure.nonce());
        bench.zookeeper.set(RECORD, Json.write(copied));
    }

    private void assertFenced(Tenure whose) {
        assertEquals(FenceReason.RECORD_TAKEN, Bench.whyTripped(whose));
    }

    /** No time has such a tick, and what would be computed from it no year. */
    @ParameterizedTest
    @ValueSource(longs = {1L << 53, (1L << 62) - 1})
    void shouldFenceWhenRecordIsBeyondTheTimeOfTheScheme(long ceiling) {
        String beyond = bench.data(RECORD).replaceFirst("\"ceiling\":[0-9]+", "\"ceiling\":" + ceiling);
        bench.zookeeper.set(RECORD, beyond);
        findOut();
        replica.stepFor(CLAIMED_ANEW);
        assertFenced(tenure);
        assertEquals(FenceReason.MALFORMED_NODE, replica.reason(), "no replica has written that");

        bench.zookeeper.set(RECORD, beyond.replaceFirst("\"ceiling\":[0-9]+", "\"ceiling\":" + last));
        replica.stepFor(Duration.ofSeconds(1));
        assertTrue(replica.serves(), "an operator has put back what it was");
        assertRepeatsNothing(draw(replica));
    }

    /**
     * Where no answer comes, what was found may be the own write, of which nobody knows whether it was made. Or the
     * process was copied, and its copy renews first: without the bits, each would take the other's writes for its own.
     */
    @ParameterizedTest
    @CsvSource({"NONE, false", "REQUEST_LOST, false", "ANSWER_LOST, false", "NONE, true", "REQUEST_LOST, true"})
    void shouldFenceWhenCopiedJustBeforeRenewal(Fault fault, boolean byACopyOfTheProcess) {
        bench.advance(QUARTER);
        String copys = Json.write(renewedByACopy());
        replica.amid(CLAIM, fault, byACopyOfTheProcess ? () -> bench.zookeeper.set(RECORD, copys) : this::copy);
        replica.step();
        assertFenced(tenure);
    }

    /** At whatever moment the holder crashes, it has not reserved that year itself. */
    @Test
    void shouldNotReserveTheCeilingThatWasForgedUnderItsNonce() {
        List<Long> written = new ArrayList<>();
        bench.zookeeper.onWrite((path, data, created) -> {
            if (path.equals(RECORD)) {
                written.add(Payloads.read(path, data, SlotRecord.class).ceiling());
            }
        });
        bench.advance(QUARTER);
        replica.amid(CLAIM, Fault.REQUEST_LOST, this::copy);
        replica.stepFor(CLAIMED_ANEW);
        assertFenced(tenure);
        long farthest = pool.unit().tickAt(replica.clock.micros()) + pool.unit().ticksIn(Bench.TEN_SECONDS);
        assertTrue(written.stream().skip(1).allMatch(ceiling -> ceiling <= farthest), written::toString);
        assertTrue(replica.serves(), "the record was set down");
    }

    /** Reserves as much as the own renewal does, which is under way, and has other bits. */
    private SlotRecord renewedByACopy() {
        long ceiling = pool.unit().tickAt(replica.clock.micros()) + pool.unit().ticksIn(Bench.TEN_SECONDS);
        return SlotRecord.reserved(pool.unit(), ceiling, tenure.nonce()).sentAs("0123456789abcdef");
    }

    /**
     * It may have issued up to its ceiling: nobody begins below that, also not where the copy gives the slot back
     * later.
     */
    @Test
    void shouldKeepReservedWhatACopyOfTheProcessReserved() {
        bench.advance(QUARTER);
        SlotRecord copys = renewedByACopy();
        bench.zookeeper.set(RECORD, Json.write(copys));
        replica.loop.close();
        SlotRecord left = bench.record(pool, 0);
        assertEquals(copys.ceiling(), left.ceiling());
        assertTrue(left.released());
        assertNotEquals(copys.write(), left.write());
        assertEquals(List.of(), bench.leases(pool));
        assertEquals(
                copys.ceiling() + 1,
                bench.replica("b", sno)
                        .stepFor(Duration.ofSeconds(20))
                        .tenure()
                        .fence()
                        .floorTick());
    }

    /** Each renewal is made or not, and none is answered; then the slot is read back. */
    @Test
    void shouldServeOnWhenRenewalsAreUncertain() {
        int[] calls = {0};
        replica.client.faults(call -> call.startsWith("multi")
                ? calls[0]++ % 2 == 0 ? Fault.REQUEST_LOST : Fault.ANSWER_LOST
                : call.startsWith("sync") && calls[0] % 5 != 0 ? Fault.REQUEST_LOST : Fault.NONE);
        replica.stepFor(Duration.ofSeconds(6));
        assertTrue(calls[0] > 5, "renewals: " + calls[0]);
        replica.client.answer();
        replica.stepFor(Duration.ofSeconds(6));
        assertEquals(tenure, replica.tenure());
        assertTrue(replica.serves());
    }
}
