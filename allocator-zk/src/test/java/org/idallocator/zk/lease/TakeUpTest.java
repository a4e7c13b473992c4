package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.Revocation;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.SlotRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of tenures whose session ends while their windows last. The replica holds a slot of each of two schemes.
 */
final class TakeUpTest {
    private static final int SNO = 0;
    private static final int EIGHTBYTE = 1;

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(4);
    private final SlotPool snos = sno.pool().orElseThrow();
    private final Replicated replica = bench.replica("a", sno, new EightByteScheme(3));
    private final List<Tenure> tenures = new ArrayList<>();

    @BeforeEach
    void claim() {
        replica.step();
        tenures.addAll(List.of(replica.tenure(SNO), replica.tenure(EIGHTBYTE)));
    }

    private Tenure tenure() {
        return tenures.get(SNO);
    }

    private String leasePath() {
        return Bench.TREE.lease(tenure().slot());
    }

    private String recordPath() {
        return Bench.TREE.record(tenure().slot());
    }

    /** ZooKeeper ends the replica's session while the replica hears nothing. */
    private void loseSession() {
        replica.client.connected(false);
        replica.step();
        bench.zookeeper.expire(replica.client.believedSession());
        bench.advance(Duration.ofMillis(500));
    }

    private void comeBack() {
        replica.client.connected(true);
        replica.stepFor(Duration.ofSeconds(1));
    }

    private void assertTakenUp() {
        assertEquals(tenures, List.of(replica.tenure(SNO), replica.tenure(EIGHTBYTE)));
        long session = replica.client.session().id();
        for (Tenure each : tenures) {
            String lease = Bench.TREE.lease(each.slot());
            assertEquals(session, bench.zookeeper.node(lease).orElseThrow().owner());
            assertTrue(bench.data(lease).contains(each.nonce()));
            assertTrue(each.fence().untilDeadline().compareTo(Duration.ofMillis(8_400)) > 0);
        }
        assertEquals(1, replica.draw(1));
    }

    private void assertLost(FenceReason why) {
        assertEquals(why, Bench.whyTripped(tenure()));
        assertFalse(replica.slots(SNO).tenures().contains(tenure()));
    }

    @Test
    void shouldServeOnWhileZooKeeperIsAwayAndTakeAllSlotsUpInOneTransaction() {
        loseSession();
        assertEquals(1, replica.draw(1));
        List<String> sent = new ArrayList<>();
        replica.client.faults(call -> {
            if (call.startsWith("multi") && call.contains("/records")) {
                sent.add(call);
            }
            return Fault.NONE;
        });
        comeBack();

        assertEquals(1, sent.size(), sent::toString);
        assertTakenUp();
    }

    /** A server that comes back may still know the old session, and keep its leases for a while. */
    @Test
    void shouldTakeUpSlotsWhoseLeasesAreStillThere() {
        long before = replica.client.session().id();
        replica.client.next("read /ids/meta", Fault.ABANDONED);
        replica.stepFor(Duration.ofSeconds(3));
        assertTakenUp();
        bench.zookeeper.expire(before);
        replica.stepFor(Duration.ofSeconds(1));
        assertTakenUp();
    }

    @Test
    void shouldServeNoLongerThanTheWindow() {
        loseSession();
        bench.advance(Duration.ofMillis(9_500));
        assertEquals(FenceReason.DEADLINE_PASSED, replica.reason());
        comeBack();
        assertLost(FenceReason.DEADLINE_PASSED);
        assertTrue(replica.serves());
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"REQUEST_LOST", "ANSWER_LOST"})
    void shouldTakeUpWhenTheFirstTryHasNoAnswer(Fault fault) {
        loseSession();
        replica.client.next("multi /ids/eightbyte/03/records", fault);
        comeBack();
        assertTakenUp();
    }

    /** Whoever claims the slot begins above what is reserved, so both serve for a moment, each its own ticks. */
    @Test
    void shouldNotTakeUpWhatAnotherHasClaimed() {
        loseSession();
        SlotRecord mine = bench.record(snos, tenure().slot().number());
        String written = Json.write(SlotRecord.reserved(tenure().slot().unit(), mine.ceiling() + 2_500, "theirs"));
        bench.zookeeper.set(recordPath(), written);
        comeBack();
        assertLost(FenceReason.RECORD_TAKEN);
        assertEquals(written, bench.data(recordPath()));
        assertEquals(tenures.get(EIGHTBYTE), replica.tenure(EIGHTBYTE));
    }

    @Test
    void shouldNotTakeUpWhereAnotherHasTheLease() {
        loseSession();
        String others = Json.write(tenure().lease()).replace(tenure().nonce(), "theirs");
        bench.zookeeper.create(leasePath(), others, bench.zookeeper.newSession());
        comeBack();
        assertLost(FenceReason.LEASE_REPLACED);
        assertEquals(others, bench.data(leasePath()));
    }

    /** Somebody makes the lease between the look at it and the transaction. */
    @Test
    void shouldNotTakeUpWhereAnotherIsFasterWithTheLease() {
        loseSession();
        String others = Json.write(tenure().lease()).replace(tenure().nonce(), "theirs");
        replica.amid(
                "multi /ids/eightbyte/03/records",
                Fault.NONE,
                () -> bench.zookeeper.create(leasePath(), others, bench.zookeeper.newSession()));
        comeBack();
        assertLost(FenceReason.LEASE_REPLACED);
        assertEquals(tenures.get(EIGHTBYTE), replica.tenure(EIGHTBYTE));
    }

    /**
     * The holder is cut off, and its session lives, or has ended already. Nobody can take the slot away by the lease
     * alone then.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotTakeUpWhatAnOperatorTookAway(boolean ended) {
        replica.client.connected(false);
        replica.step();
        if (ended) {
            bench.zookeeper.expire(replica.client.believedSession());
        }
        long reserved = bench.record(snos, tenure().slot().number()).ceiling();
        ClusterView operator = ClusterView.on(bench.access(sno));
        String nonce = tenure().nonce();
        assertEquals(Revocation.DONE, operator.revoke(sno, tenure().slot().number(), nonce));
        assertEquals(
                Revocation.GONE_ALREADY, operator.revoke(sno, tenure().slot().number(), nonce));
        if (!ended) {
            bench.zookeeper.expire(replica.client.believedSession());
        }
        comeBack();
        assertLost(FenceReason.LEASE_GONE);
        assertEquals(reserved, bench.record(snos, tenure().slot().number()).ceiling());
        assertEquals(tenures.get(EIGHTBYTE), replica.tenure(EIGHTBYTE));
    }

    @Test
    void shouldNotTakeUpWhenMetaHasChanged() {
        loseSession();
        bench.zookeeper.set(
                Bench.TREE.meta(), bench.data(Bench.TREE.meta()).replace("aheadMillis\":", "aheadMillis\":1"));
        comeBack();
        assertLost(FenceReason.META_CHANGED);
    }

    /**
     * A request that is late could lower a ceiling of a later incarnation. The lease is taken away all the same, by the
     * next try.
     */
    @Test
    void shouldWriteNoRecordWhoseIncarnationEndsMeanwhile() {
        Replicated operator = bench.replica("operator", sno);
        String meta = Bench.TREE.meta();
        operator.amid("multi", Fault.NONE, () -> {
            bench.zookeeper.children(meta).forEach(child -> bench.zookeeper.delete(meta + "/" + child));
            bench.zookeeper.delete(meta);
        });
        String before = bench.data(recordPath());
        ClusterView view = ClusterView.on(operator.access(sno));
        assertEquals(Revocation.DONE, view.revoke(sno, tenure().slot().number(), tenure().nonce()));
        assertEquals(before, bench.data(recordPath()));
        assertEquals(List.of(), bench.leases(snos));
    }

    /**
     * Somebody has damaged the layout, and puts it back later: a slot that was taken by its lease alone would be taken
     * up then.
     */
    @Test
    void shouldTakeNothingAwayWhereTheEraCannotBeRead() {
        replica.client.connected(false);
        replica.step();
        String layout = Bench.TREE.layout(snos);
        bench.zookeeper.set(layout, "no JSON");
        ClusterView view = ClusterView.on(bench.access(sno));
        UnreachableException refused = assertThrows(
                UnreachableException.class,
                () -> view.revoke(sno, tenure().slot().number(), tenure().nonce()));
        assertTrue(String.valueOf(refused.getMessage()).contains(layout), refused.getMessage());
        assertFalse(bench.leases(snos).isEmpty());
    }

    /** As after a relayout that was interrupted: its tenures go on no more. */
    @Test
    void shouldTakeAwayByTheLeaseAloneWhereTheGenerationHasEnded() {
        String before = bench.data(recordPath());
        bench.zookeeper.delete(Bench.TREE.generation(snos, tenure().grant().generation()));
        ClusterView view = ClusterView.on(bench.access(sno));
        assertEquals(Revocation.DONE, view.revoke(sno, tenure().slot().number(), tenure().nonce()));
        assertEquals(before, bench.data(recordPath()));
        assertEquals(List.of(), bench.leases(snos));
    }

    @Test
    void shouldNameTheTenureThatMayGoOnWhereNobodyHoldsTheSlot() {
        loseSession();
        ClusterView view = ClusterView.on(bench.access(sno));
        assertEquals(
                Optional.of(tenure().nonce()), view.tenure(sno, tenure().slot().number()));
        comeBack();
        replica.loop.close();
        assertEquals(Optional.empty(), view.tenure(sno, tenure().slot().number()));
    }

    /** What is read on one session says nothing of a lease that another one held. */
    @Test
    void shouldNotTakeALeaseForDeletedThatEndedWithItsSessionMeanwhile() {
        long session = replica.client.session().id();
        replica.loop.verifySoon();
        replica.amid("sync", Fault.NONE, () -> {
            bench.zookeeper.expire(session);
            replica.client.next("read", Fault.ABANDONED);
            assertThrows(StoreException.class, () -> replica.client.read(Bench.ROOT));
        });
        replica.stepFor(Duration.ofSeconds(1));
        assertTakenUp();
    }

    @Test
    void shouldHearOfWhatIsDeletedOnTheNewSession() {
        loseSession();
        comeBack();
        assertTakenUp();
        bench.zookeeper.delete(leasePath());
        replica.step();
        assertLost(FenceReason.LEASE_GONE);
    }

    /** What ZooKeeper's time was before the outage says nothing of a clock by now. */
    @Test
    void shouldAskForZooKeepersTimeBeforeItReserves() {
        loseSession();
        bench.leaderOff(Duration.ofHours(-1));
        comeBack();
        assertLost(FenceReason.CLOCK_SKEW);
    }
}
