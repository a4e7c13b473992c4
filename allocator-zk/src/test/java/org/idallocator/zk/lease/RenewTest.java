package org.idallocator.zk.lease;

import static com.google.common.base.Preconditions.checkState;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.SlotRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How ceilings and deadlines move on, and what trips a tenure's fence. The replica holds a slot of each of two schemes.
 */
final class RenewTest {
    private static final Duration QUARTER = Duration.ofMillis(2_500);
    private static final int SNO = 0;
    private static final int EIGHTBYTE = 1;

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(4);
    private final Scheme<?> eightbyte = new EightByteScheme(3);
    private final SlotPool snos = sno.pool().orElseThrow();
    private final Replicated replica = bench.replica("a", sno, eightbyte);
    private Tenure tenure;

    @BeforeEach
    void claim() {
        replica.step();
        tenure = replica.tenure(SNO);
    }

    private String recordPath() {
        return Bench.TREE.record(tenure.slot());
    }

    private String leasePath() {
        return Bench.TREE.lease(tenure.slot());
    }

    private SlotRecord record() {
        return bench.record(snos, tenure.slot().number());
    }

    /**
     * A step may end anywhere in an exception that nobody foresaw. No tenure is forgotten: each slot is released all
     * the same.
     */
    @Test
    void shouldForgetNoTenureWhenStepBreaksOff() {
        int broken = 0;
        for (int reading = 0; reading < 40; reading++) {
            Bench another = new Bench();
            Replicated holder = another.replica("a", sno, eightbyte).step();
            List<Tenure> ended = List.of(holder.tenure(SNO), holder.tenure(EIGHTBYTE));
            ended.forEach(each -> each.fence().trip(FenceReason.LEASE_GONE, ""));
            holder.afterReadings(reading, () -> checkState(false, "a clock that fails"));
            try {
                holder.step();
            } catch (IllegalStateException e) {
                assertEquals("a clock that fails", e.getMessage());
                broken++;
            }
            holder.afterReadings(-1, () -> {});
            holder.stepFor(Duration.ofSeconds(20));
            assertTrue(holder.serves(SNO) && holder.serves(EIGHTBYTE), "after reading " + reading);
            for (Tenure each : ended) {
                Optional<Store.Node> lease = another.zookeeper.node(Bench.TREE.lease(each.slot()));
                assertTrue(
                        lease.filter(node -> node.data().contains(each.nonce())).isEmpty(),
                        each + " is forgotten after reading " + reading);
            }
        }
        assertTrue(broken > 5, "steps that broke off: " + broken);
    }

    @Test
    void shouldCountForAllSlotsWhenConnectionBreaksRightAfterTheAnswer() {
        long deadline = tenure.fence().deadlineNanos();
        bench.advance(QUARTER);
        replica.amid(
                "multi",
                Fault.NONE,
                () -> replica.client.between(() -> {
                    replica.client.between(() -> {});
                    replica.client.connected(false);
                }));
        replica.step();
        assertEquals(record().ceiling(), tenure.fence().ceilingTick());
        assertEquals(deadline + QUARTER.toNanos(), tenure.fence().deadlineNanos());
        assertEquals(
                deadline + QUARTER.toNanos(), replica.tenure(EIGHTBYTE).fence().deadlineNanos());
        assertEquals(1, replica.slots(SNO).counts().renewals().atOnce());
        assertEquals(0, replica.slots(SNO).counts().renewals().failed());
    }

    /**
     * What nobody foresaw may come at any moment after the answer, from a clock or from a log. It is one slot's trouble
     * at most.
     */
    @Test
    void shouldCountForAllOtherSlotsWhenSomethingBreaksRightAfterTheAnswer() {
        int broken = 0;
        for (int reading = 0; reading < 40; reading++) {
            Bench another = new Bench();
            Replicated holder = another.replica("a", sno, eightbyte).step();
            List<Tenure> tenures = List.of(holder.tenure(SNO), holder.tenure(EIGHTBYTE));
            long deadline = tenures.get(0).fence().deadlineNanos();
            long before = another.zookeeper.transactions();
            another.advance(QUARTER);
            holder.afterReadings(reading, () -> checkState(false, "a clock that fails"));
            try {
                holder.step();
                continue;
            } catch (IllegalStateException e) {
                assertEquals("a clock that fails", e.getMessage());
            } finally {
                holder.afterReadings(-1, () -> {});
            }
            if (another.zookeeper.transactions() > before) {
                broken++;
                for (Tenure each : tenures) {
                    String record = Bench.TREE.record(each.slot());
                    assertEquals(
                            another.version(record),
                            each.record().version().orElseThrow(),
                            each + " after reading " + reading);
                }
                assertTrue(
                        tenures.stream().anyMatch(each -> each.fence().deadlineNanos() == deadline + QUARTER.toNanos()),
                        "after reading " + reading);
            }
        }
        assertTrue(broken >= 3, "steps that broke off after the answer: " + broken);
    }

    @Test
    void shouldRenewAllSlotsInOneTransactionWhenQuarterOfWindowHasPassed() {
        long before = bench.zookeeper.transactions();
        long ceiling = tenure.fence().ceilingTick();
        long other = replica.tenure(EIGHTBYTE).fence().ceilingTick();
        replica.stepFor(QUARTER.minusMillis(1));
        assertEquals(before, bench.zookeeper.transactions(), "not before");
        replica.letPass(Duration.ofMillis(1));
        assertEquals(before + 1, bench.zookeeper.transactions());
        assertEquals(ceiling + 625, tenure.fence().ceilingTick());
        assertEquals(other + 2_500, replica.tenure(EIGHTBYTE).fence().ceilingTick());
        assertEquals(ceiling + 625, record().ceiling());
    }

    /**
     * A tenure may issue all that it has reserved. So the record never says less, by however much the clock was set
     * back.
     */
    @Test
    void shouldLowerNoCeilingWhenClockIsSetBack() {
        replica.clock.off(1_900_000);
        replica.stepFor(QUARTER);
        long ceiling = record().ceiling();
        replica.clock.off(-1_900_000);
        long version = tenure.record().version().orElseThrow();
        replica.stepFor(QUARTER);

        assertEquals(version + 1, tenure.record().version().orElseThrow(), "it was renewed");
        assertEquals(ceiling, record().ceiling());
        assertEquals(ceiling, tenure.fence().ceilingTick());
        assertTrue(replica.serves());
    }

    /** The very first step cannot learn the session's timeout; the next ones can. */
    @Test
    void shouldRenewInTimeWhenServerGrantsLessThanTheWindow() {
        Bench strict = new Bench(Duration.ofSeconds(2));
        Replicated held = strict.replica("a", sno);
        held.client.connected(false);
        held.step().client.connected(true);
        held.stepFor(Duration.ofSeconds(1));
        Tenure first = held.tenure();
        long before = strict.zookeeper.transactions();
        held.stepFor(Duration.ofSeconds(30));
        assertEquals(first, held.tenure());
        assertTrue(held.serves());
        assertTrue(strict.zookeeper.transactions() - before < 70, "renews without pause");
    }

    /**
     * Of a process that is copied between the two, both copies know the bits: until when each may issue is settled by
     * then.
     */
    @Test
    void shouldCountDeadlineFromBeforeTheBitsOfTheWriteAreDrawn() {
        bench.advance(QUARTER);
        long asked = replica.clock.nanos();
        replica.whenBitsAreDrawn(() -> bench.advance(Duration.ofSeconds(1)));
        replica.step();
        assertEquals(Duration.ofSeconds(10).toNanos(), tenure.fence().deadlineNanos() - asked);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepOldDeadlineWhenAnswerIsLost(boolean readBack) {
        long deadline = tenure.fence().deadlineNanos();
        long ceiling = tenure.fence().ceilingTick();
        bench.advance(QUARTER);
        replica.client.faults(call -> call.startsWith("multi")
                ? Fault.ANSWER_LOST
                : call.startsWith("sync") && !readBack ? Fault.REQUEST_LOST : Fault.NONE);
        var unused = replica.loop.step();
        assertEquals(ceiling + 625, record().ceiling(), "it was written");
        assertEquals(
                readBack ? ceiling + 625 : ceiling, tenure.fence().ceilingTick(), "nobody said so, or somebody did");
        assertEquals(deadline, tenure.fence().deadlineNanos());
        assertTrue(replica.serves());
        replica.client.answer();
        replica.step();
        assertTrue(tenure.fence().ceilingTick() >= ceiling + 625);
    }

    /** Credentials that are refused say nothing of the slot: fences stay as they are until their deadline. */
    @Test
    void shouldKeepServingUntilDeadlineWhenCredentialsAreRefused() {
        bench.advance(QUARTER);
        replica.client.faults(call -> call.startsWith("read") ? Fault.NONE : Fault.REFUSED);
        replica.step();
        assertTrue(replica.serves());
        bench.advance(Bench.TEN_SECONDS);
        assertFalse(replica.serves());
        replica.step();
        assertEquals(FenceReason.NO_PERMISSION, replica.reason());
    }

    @Test
    void shouldGoOnWhenAnswerToRenewalIsLost() {
        bench.zookeeper.set(leasePath(), bench.data(leasePath())); // as with every renewal
        bench.advance(QUARTER);
        replica.client.next("multi", Fault.ANSWER_LOST);
        replica.step();
        replica.stepFor(Duration.ofSeconds(20));
        assertEquals(tenure, replica.tenure(SNO));
        assertTrue(replica.serves(SNO));
        assertTrue(replica.serves(EIGHTBYTE));
    }

    /** The leases are the old session's, which nobody keeps alive any more. */
    @Test
    void shouldMoveNoDeadlineOnAnotherSessionBeforeTheSlotIsTakenUp() {
        bench.advance(QUARTER);
        long deadlineNanos = tenure.fence().deadlineNanos();
        replica.changeSessionAmid("multi");
        replica.step();
        assertEquals(deadlineNanos, tenure.fence().deadlineNanos());
        replica.stepFor(Duration.ofMillis(500));
        assertEquals(tenure, replica.tenure());
        assertTrue(tenure.isOn(replica.client.session()));
        assertTrue(tenure.fence().deadlineNanos() > deadlineNanos);
    }

    /** Without the version condition this renewal would succeed, and two tenures would use the same ticks. */
    @ParameterizedTest
    @ValueSource(strings = {"another's", "as released by itself", "no JSON"})
    void shouldFenceThatSlotAloneWhenItsRecordIsWrittenByAnother(String what) {
        Tenure other = replica.tenure(EIGHTBYTE);
        SlotRecord mine = record();
        String written = switch (what) {
            case "another's" -> Json.write(SlotRecord.reserved(tenure.slot().unit(), mine.ceiling() + 2_500, "theirs"));
            case "as released by itself" ->
                Json.write(SlotRecord.released(tenure.slot().unit(), 1, mine.nonce()));
            default -> "{";
        };
        bench.zookeeper.set(recordPath(), written);
        bench.advance(QUARTER);
        replica.stepUntil(() -> !replica.slots(SNO).tenures().contains(tenure));
        assertFenced(FenceReason.RECORD_TAKEN);
        assertEquals(written, bench.data(recordPath()));
        assertEquals(other, replica.tenure(EIGHTBYTE));
        assertTrue(other.fence().deadlineNanos() - replica.clock.nanos() > QUARTER.toNanos(), "renewed by itself");
        replica.stepFor(Duration.ofSeconds(1));
        assertTrue(replica.serves(SNO), "on another slot");
    }

    @Test
    void shouldReadNothingBackWhenOnlyItselfWrites() {
        replica.step();
        replica.client.faults(call -> {
            assertFalse(call.startsWith("sync"), call);
            return Fault.NONE;
        });
        replica.stepFor(Duration.ofSeconds(10));
        assertTrue(replica.serves());
    }

    /** A stranger's node has the data version that ours had, so a transaction cannot tell the two apart. */
    @Test
    void shouldFenceWhenLeaseIsReplacedByStranger() {
        String data = bench.data(leasePath());
        bench.zookeeper.delete(leasePath());
        bench.zookeeper.create(leasePath(), data.replace(tenure.nonce(), "theirs"), bench.zookeeper.newSession());
        assertEquals(0, bench.version(leasePath()));
        replica.step();
        assertFenced(FenceReason.LEASE_REPLACED);
    }

    @Test
    void shouldFenceByItselfWhenDeadlinePasses() {
        bench.advance(Duration.ofSeconds(10));
        assertEquals(FenceReason.DEADLINE_PASSED, replica.reason());
        assertEquals(
                "no renewal was confirmed in time; another slot is claimed when ZooKeeper answers (the deadline passed"
                        + " at 2024-01-01T00:00:10Z)",
                replica.why());
    }

    /** What was told stays true: a renewal that is confirmed afterwards opens nothing again. */
    @Test
    void shouldTripWhenAskedForTheStatusAfterTheDeadline() {
        bench.advance(Duration.ofSeconds(10));
        SchemeStatus status = replica.status();
        assertEquals(FenceReason.DEADLINE_PASSED, status.fenced().orElseThrow().reason());
        assertTrue(status.slot().isEmpty());
        assertEquals(FenceReason.DEADLINE_PASSED, Bench.whyTripped(tenure));
    }

    @Test
    void shouldFenceAtOnceWhenTheSessionIsGivenUp() {
        replica.loop.fenceAll();
        assertEquals(FenceReason.SESSION_LOST, replica.reason());
        replica.step();
        assertTrue(replica.serves(), "on the same session, which was alive after all");
        assertEquals(1, bench.leases(snos).size());
    }

    @ParameterizedTest
    @CsvSource({"3000, 3000 ms ahead of, 2999 ms ahead of", "-3000, 3000 ms behind, 3000 ms behind"})
    void shouldWriteNoRecordWhenClockIsOff(long offMillis, String exactly, String atLeast) {
        SlotRecord before = record();
        bench.advance(QUARTER);
        replica.clock.off(offMillis * 1_000);
        replica.step();
        assertEquals(FenceReason.CLOCK_SKEW, Bench.whyTripped(tenure));
        assertTrue(
                replica.why().contains("the clock is " + exactly)
                        || replica.why().contains("the clock is " + atLeast),
                replica.why());
        assertTrue(replica.why().endsWith(" ZooKeeper's, allowed are 2000 ms)"), replica.why());
        assertEquals(before, record());
        replica.clock.off(0);
        replica.stepFor(Duration.ofSeconds(1));
        assertTrue(replica.serves(SNO) && replica.serves(EIGHTBYTE), "as soon as the clock is right");
    }

    /**
     * While the clocks differ the replica writes nothing else, so it announces itself again to learn ZooKeeper's new
     * time.
     */
    @Test
    void shouldServeAgainWhenClockOfZooKeeperIsSetRight() {
        bench.leaderOff(Duration.ofMinutes(-1));
        replica.stepFor(Duration.ofSeconds(10));
        assertEquals(FenceReason.CLOCK_SKEW, replica.reason());
        bench.leaderOff(Duration.ZERO);
        replica.stepFor(Duration.ofSeconds(2));
        assertTrue(replica.serves());
    }

    /** The clock may jump between any two readings: what is reserved goes by the reading that was judged. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotReserveYearWhenClockJumps(boolean requestIsLost) {
        for (int readings = 0; readings < 60; readings++) {
            Bench each = new Bench();
            Replicated jumping = each.replica("a", sno).step();
            long slot = jumping.tenure().slot().number();
            each.advance(QUARTER);
            if (requestIsLost) {
                jumping.client.next("multi", Fault.REQUEST_LOST);
            }
            jumping.jumpAfter(readings);
            jumping.step();
            assertTrue(
                    each.record(snos, slot)
                            .reservedThrough()
                            .isBefore(each.now().plusSeconds(60)),
                    "" + readings);
        }
    }

    /**
     * The clock is judged before a renewal is sent. A slot that is then renewed by itself has the clock judged again.
     */
    @Test
    void shouldNotReserveYearWhenClockJumpsWhileAnswerIsLost() {
        bench.advance(QUARTER);
        replica.amid("multi", Fault.REQUEST_LOST, () -> {
            replica.clock.off(Duration.ofDays(365).toNanos() / 1_000);
            replica.client.next("multi", Fault.NONE);
        });
        bench.zookeeper.set(recordPath(), Json.write(record()));
        replica.step();
        assertTrue(record().reservedThrough().isBefore(bench.now().plusSeconds(60)), record().toString());
    }

    /** What nobody foresaw loses no verification either. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldArmWatchesLaterWhenThatFails(boolean unforeseen) {
        AtomicBoolean fails = new AtomicBoolean(true);
        replica.client.faults(call -> {
            if (!call.startsWith("watch") || !fails.getAndSet(false)) {
                return Fault.NONE;
            }
            checkState(!unforeseen, "unforeseen");
            return Fault.REQUEST_LOST;
        });
        bench.zookeeper.set(leasePath(), bench.data(leasePath())); // a watch fires once
        if (unforeseen) {
            assertThrows(IllegalStateException.class, replica.loop::step);
        } else {
            replica.step();
        }
        replica.step();
        bench.zookeeper.delete(leasePath());
        replica.step();
        assertFenced(FenceReason.LEASE_GONE);
    }

    private void assertFenced(FenceReason reason) {
        assertEquals(reason, Bench.whyTripped(tenure));
        assertTrue(replica.slots(SNO).tenures().stream().noneMatch(t -> t.equals(tenure)));
    }

    /** ZooKeeper refuses one pool: its tenure's fence trips, and the other pool's tenure is renewed and serves. */
    @Test
    void shouldRenewOthersWhenOnePoolRefuses() {
        Replicated replica = bench.replica("a", sno, new MuidScheme()).step();
        bench.zookeeper.forbid(path -> path.startsWith("/ids/sno"));
        replica.loop.verifySoon();
        replica.stepFor(Duration.ofSeconds(3));
        assertEquals(FenceReason.NO_PERMISSION, replica.reason());
        replica.stepFor(Duration.ofSeconds(60));
        assertEquals(FenceReason.NO_PERMISSION, replica.reason());
        assertTrue(replica.serves(1));
        long before = bench.zookeeper.transactions();
        replica.stepFor(Duration.ofSeconds(10));
        assertTrue(bench.zookeeper.transactions() - before < 100, "it does not try all the time");
    }

    /** From now on, each answer of ZooKeeper takes this long; tells all tenures that serve meanwhile. */
    private Set<Tenure> slow(Replicated asking, Duration answer) {
        Set<Tenure> seen = new HashSet<>();
        asking.client.answering(() -> {
            bench.advance(answer);
            seen.addAll(asking.slots().tenures());
        });
        return seen;
    }

    private Replicated replicaOfTwelveSlots(Scheme<?>... others) {
        List<Scheme<?>> all = new ArrayList<>(List.of(others));
        all.add(0, new Uid60Scheme(Duration.ofHours(1)));
        return bench.replica(Bench.settings("b", all).withLeases(Map.of("uid60", 12)));
    }

    @Test
    void shouldRenewBetweenClaimsAndBetweenTenuresThatAreReadBackWhenAnswersAreSlow() {
        Replicated other = replicaOfTwelveSlots();
        Set<Tenure> seen = slow(other, Duration.ofMillis(150));
        other.letPass(Duration.ofMinutes(1));
        assertEquals(12, other.slots().tenures().size());
        slow(other, Duration.ofMillis(250));
        other.loop.verifySoon();
        other.letPass(Duration.ofSeconds(30));
        assertEquals(12, seen.size());
        assertEquals(seen, Set.copyOf(other.slots().tenures()));
    }

    @Test
    void shouldRenewBetweenReleasesWhenAnswersAreSlow() {
        Replicated other = replicaOfTwelveSlots(sno);
        other.letPass(Duration.ofSeconds(30));
        Tenure kept = other.tenure(1);
        other.slots().tenures().forEach(lost -> lost.fence().trip(FenceReason.RELEASED, ""));
        slow(other, Duration.ofMillis(250));
        other.step();
        assertNull(kept.fence().tripIfOverdue());
    }

    /** The refusal says which slot is lost: nothing is read, and the others are sent once more. */
    @Test
    void shouldRenewTheOthersInOneTransactionMoreWhenOneOfTwelveSlotsIsLost() {
        Replicated other = replicaOfTwelveSlots();
        other.letPass(Duration.ofSeconds(30));
        List<Tenure> others = new ArrayList<>(other.slots().tenures());
        Tenure lost = others.remove(7);
        other.client.delivery(news -> {}); // nobody tells
        bench.zookeeper.delete(Bench.TREE.lease(lost.slot()));
        bench.advance(QUARTER);
        List<String> calls = new ArrayList<>();
        other.client.faults(call -> {
            calls.add(call.substring(0, call.indexOf(' ')));
            return Fault.NONE;
        });
        other.step();

        assertEquals(List.of("multi", "multi"), calls.subList(0, 2));
        assertEquals(FenceReason.LEASE_GONE, Bench.whyTripped(lost));
        long deadline = other.clock.nanos() + Duration.ofSeconds(10).toNanos();
        others.forEach(each -> assertEquals(deadline, each.fence().deadlineNanos(), each::toString));
        assertEquals(1, other.slots().counts().renewals().failed());
        assertEquals(others.size(), other.slots().counts().renewals().retried());
    }

    /** Each renewal is counted for itself, also the first that all slots have together again. */
    @Test
    void shouldCountTheNextFailedRenewalOfSlotsThatWereRenewedByThemselves() {
        Replicated other = replicaOfTwelveSlots();
        other.letPass(Duration.ofSeconds(30));
        List<Tenure> others = new ArrayList<>(other.slots().tenures());
        Tenure lost = others.remove(7);
        bench.zookeeper.forbid(Bench.TREE.record(lost.slot())::equals);
        bench.advance(QUARTER);
        other.letPass(Duration.ofSeconds(1));
        assertTrue(other.slots().tenures().containsAll(others));

        long before = other.slots().counts().renewals().failed();
        bench.advance(QUARTER);
        other.client.next("multi", Fault.REQUEST_LOST);
        other.step();
        assertEquals(
                before + other.slots().tenures().size(),
                other.slots().counts().renewals().failed());
    }

    /** Whoever writes one record as it is, again and again, keeps nobody else from being renewed. */
    @Test
    void shouldRenewTheOtherWhenOneRecordIsWrittenAgainAndAgain() {
        long deadline = replica.tenure(EIGHTBYTE).fence().deadlineNanos();
        bench.advance(QUARTER);
        replica.client.faults(call -> {
            if (call.startsWith("multi")) {
                bench.zookeeper.set(recordPath(), bench.data(recordPath()));
            }
            return Fault.NONE;
        });
        replica.step();
        assertEquals(
                deadline + QUARTER.toNanos(), replica.tenure(EIGHTBYTE).fence().deadlineNanos());
    }

    /** A fence that reading back has just tripped must not have the common renewal of the others fail. */
    @Test
    void shouldRenewOthersAtTheFirstTryWhenReadingBackHasFencedOne() {
        bench.zookeeper.delete(leasePath());
        replica.step();
        bench.advance(QUARTER);
        replica.step();
        assertEquals(FenceReason.LEASE_GONE, Bench.whyTripped(tenure));
        assertEquals(0, replica.slots(EIGHTBYTE).counts().renewals().retried());
        assertEquals(1, replica.slots(EIGHTBYTE).counts().renewals().atOnce());
    }
}
