package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalInt;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.era.Incarnations;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.operator.OperatorAccess;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.SimulatedClient;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.store.SimulatedZooKeeper.Znode;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.MetaNode;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol assumes one thing: ZooKeeper keeps what it acknowledged. Meta tells when it did not. */
final class MetaTest {
    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(1);
    private final SlotPool pool = sno.pool().orElseThrow();

    /** Without a promise. */
    private FenceRestore.Report restore() {
        return OnStore.fenceRestore(bench.access(sno), FenceRestore.Options.none());
    }

    /** Nobody can tell an empty root from a lost one. */
    @Test
    void shouldServeAboveFloorWhenRootIsEmpty() {
        Replicated replica = bench.withoutPromise().replica("a", sno).step();
        assertEquals(FenceReason.COOLING, replica.reason());
        assertTrue(replica.why().endsWith("(for 16000 ms)"), replica.why());
        replica.letPass(Bench.AHEAD);
        assertTrue(replica.serves());
        assertEquals(1, replica.draw(1));
    }

    /**
     * The root keeps the last floor as text, for when meta is gone; what is no floor that anybody writes counts as
     * none.
     */
    @Test
    void shouldBeginAnewInARootThatHoldsNoFloor() {
        bench.zookeeper.create("/ids", "+1000000000-12-31T23:59:59Z", 0);
        assertTrue(bench.replica("a", sno).stepFor(Duration.ofSeconds(30)).serves());
    }

    @Test
    void shouldShareMetaWhenTwoStartTogether() {
        Replicated first = bench.withoutPromise().replica("a", sno);
        Replicated second = bench.replica("b", Bench.sno(1));
        first.amid("multi /ids/meta", Fault.NONE, second::step);
        first.step();
        assertEquals(FenceReason.COOLING, first.reason());
        second.stepFor(Bench.AHEAD);
        assertTrue(second.serves());
        assertEquals(FenceReason.NO_FREE_SLOT, first.step().reason());
    }

    @Test
    void shouldNotMakeMetaWhenRootWasUsedBefore() {
        Replicated holder = bench.replica("a", sno).step();
        bench.zookeeper.delete(Bench.TREE.meta());
        holder.step();
        assertEquals(FenceReason.META_GONE, holder.reason());
        Replicated late = bench.replica("b", sno).step();
        assertEquals(FenceReason.META_GONE, late.reason());
        assertEquals(
                "the meta node is missing, so ZooKeeper may have lost its data; run fence-restore (/ids/meta does not"
                        + " exist)",
                late.why());
        assertTrue(bench.zookeeper.node(Bench.TREE.meta()).isEmpty());
    }

    /** Whoever serves begins anew in an emptied root, also a replica that served when it was emptied. */
    @Test
    void shouldBeginAboveWhatItReservedWhenEverythingIsRemoved() {
        Replicated replica = bench.replica("a", sno).step();
        Instant reserved = replica.tenure().reservedThrough();
        bench.zookeeper.delete(Bench.ROOT);
        replica.step();
        assertEquals(FenceReason.COOLING, replica.reason());
        assertEquals(
                bench.now().plus(Bench.AHEAD),
                Incarnations.read(Bench.nodes(replica.client)).orElseThrow().floor());
        replica.stepFor(Bench.AHEAD);
        assertEquals(1, replica.draw(1));
        assertTrue(pool.unit().instantAt(replica.tenure().fence().floorTick()).isAfter(reserved));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFenceAndServeAboveNewFloorWhenFenceIsRestored(boolean rootIsLost) {
        Replicated replica = bench.replica("a", sno).step();
        Tenure first = replica.tenure();
        long ceiling = first.fence().ceilingTick();
        if (rootIsLost) {
            bench.zookeeper.delete(Bench.ROOT);
            replica.step();
        }
        FenceRestore.Report report = restore();
        assertNotEquals(report.from(), report.incarnation());
        replica.step();
        assertEquals(FenceReason.META_CHANGED, Bench.whyTripped(first));
        replica.stepFor(Duration.ofSeconds(90));
        assertTrue(replica.serves());
        assertTrue(replica.tenure().fence().floorTick() > ceiling, "although the record is gone");
        assertEquals(
                report.floor(), pool.unit().instantAt(replica.tenure().fence().floorTick()));
        assertEquals(1, replica.draw(1));
    }

    /** The floor counts 60 s, twice 10 s, and the slack, whatever the operator's own file says. */
    @Test
    void shouldRestoreAboveAllThatAnyConfigurationAllows() {
        bench.replica("a", sno).step();
        assertEquals(bench.now().plusSeconds(16), restorePromising().floor(), "as the operator promises");
        FenceRestore.Report report = restore();
        assertEquals(bench.now().plusSeconds(82), report.floor());
        assertEquals(report.incarnation(), bench.meta().incarnation());
        assertNotEquals(report.from(), report.incarnation());
    }

    @Test
    void shouldNeverLowerFloorWhenFenceIsRestoredAgain() {
        bench.replica("a", sno).step();
        Instant floor = restore().floor();
        bench.meta(new MetaNode(1, "later", null, floor.plusSeconds(1_000), null, Map.of()));
        assertEquals(floor.plusSeconds(1_000), restore().floor());
    }

    /** The leader's clock is as wrong as is allowed, and may be twice as far from the clocks that reserved. */
    @Test
    void shouldBeginByTheLaterClock() {
        bench.leaderOff(Duration.ofMillis(-1_900));
        bench.withoutPromise().replica("a", sno).step();
        assertEquals(bench.now().plus(Bench.AHEAD), bench.meta().floor());
    }

    @Test
    void shouldNeverLowerFloorWhenMetaIsDeletedByHand() {
        bench.replica("a", sno).step();
        Instant floor = restore().floor();
        bench.zookeeper.delete(Bench.TREE.meta());
        restorePromising();
        assertEquals(floor, bench.meta().floor());
        bench.zookeeper.set(Bench.TREE.meta(), "no JSON");
        restorePromising();
        assertEquals(floor, bench.meta().floor());
    }

    /** Nobody can promise that a root is new when it had an incarnation. */
    @Test
    void shouldNotBeginFirstWhenRootKeepsAFloor() {
        assertNotBegunAgain(bench.withoutPromise());
    }

    /** The floor that such a root keeps is 1970. */
    @Test
    void shouldNotBeginFirstTwiceWhenRootWasEmptied() {
        assertNotBegunAgain(bench);
    }

    private void assertNotBegunAgain(Bench bench) {
        bench.replica("a", sno).step();
        bench.zookeeper.children(Bench.ROOT).forEach(name -> bench.zookeeper.delete(Bench.ROOT + "/" + name));
        assertFalse(OnStore.withoutWaiting(
                new OperatorAccess(bench.zookeeper.connect(), Clock.system(), Bench.settings("b", List.of(sno)))));
    }

    /**
     * Whatever is lost on the way: nobody is left with a root that is half begun, whose other pools would have to be
     * waited for.
     */
    @ParameterizedTest
    @CsvSource({"REQUEST_LOST, true", "ANSWER_LOST, false"})
    void shouldBeginFirstAsAWholeOrNotAtAll(Fault fault, boolean again) {
        Bench empty = new Bench().withoutPromise();
        AllocatorSettings settings = Bench.settings("a", List.of(sno, new EightByteScheme(3)));
        SimulatedClient client = empty.zookeeper.connect();
        client.next("multi", fault);
        try {
            OnStore.withoutWaiting(new OperatorAccess(client, Clock.system(), settings));
        } catch (StoreException e) {
            // whoever sees this runs it again
        }
        assertEquals(again, OnStore.withoutWaiting(new OperatorAccess(client, Clock.system(), settings)));
        Replicated replica = empty.replica(settings).step();
        assertTrue(replica.serves(0) && replica.serves(1));
    }

    /** The replica has read meta. Before it claims, an operator runs fence-restore. */
    @Test
    void shouldClaimNothingUnderOldMetaWhenItChangesAmidClaim() {
        bench.replica("before", sno).step().loop.close();
        Replicated replica = bench.replica("a", sno);
        replica.amid("multi /ids/sno/records", Fault.NONE, this::restore);
        replica.step();
        assertFalse(replica.serves());
        assertTrue(bench.leases(pool).isEmpty());
    }

    /** What was never claimed is not reserved: it says nothing against an incarnation that begins below. */
    @Test
    void shouldGoOnUnderNewMetaWhenAClaimUnderTheOldOneIsRefused() {
        bench.replica("before", sno).step().loop.close();
        Replicated replica = bench.replica("a", sno);
        replica.amid("children", Fault.NONE, () -> {
            restorePromising();
            bench.advance(Duration.ofSeconds(7)); // so that the claim would reserve beyond the new floor
        });
        replica.step();
        assertFalse(replica.serves());
        replica.stepFor(Duration.ofSeconds(30));
        assertTrue(replica.serves());
    }

    @Test
    void shouldFenceAtOnceAndSayWhereWhenMetaIsMalformed() {
        Replicated replica = bench.replica("a", sno).step();
        Tenure tenure = replica.tenure();
        bench.zookeeper.set(Bench.TREE.meta(), "{\"version\":1}");
        replica.step();
        assertEquals(FenceReason.META_CHANGED, Bench.whyTripped(tenure));
        assertFalse(replica.serves());
        bench.zookeeper.expire(replica.client.session().id());
        Replicated late = bench.replica("b", sno).step();
        assertEquals(FenceReason.MALFORMED_NODE, late.reason());
        assertTrue(late.why().contains("/ids/meta does not hold a meta node"), late.why());
        assertEquals("unreadable", restore().from());
        late.stepFor(Duration.ofSeconds(90));
        assertTrue(late.serves());
    }

    /** A replica that has served for 30 s after the backup from which ZooKeeper then came back. */
    private Replicated rolledBack() {
        Replicated replica = bench.replica("a", sno).step();
        NavigableMap<String, Znode> backup = bench.zookeeper.tree();
        replica.stepFor(Duration.ofSeconds(30));
        bench.zookeeper.restore(backup);
        return replica;
    }

    /** Nothing was issued since the backup, but that is luck. */
    @Test
    void shouldRefuseWhenZooKeeperCameBackFromBackup() {
        Replicated replica = rolledBack();
        long ceiling = replica.tenure().fence().ceilingTick();
        replica.letPass(Duration.ofSeconds(3));
        assertFalse(replica.serves());
        assertTrue(bench.zookeeper.node(Bench.TREE.meta()).isEmpty(), "so that nobody else goes on");
        assertEquals(FenceReason.META_GONE, bench.replica("b", sno).step().reason());

        restore();
        replica.letPass(Duration.ofSeconds(90));
        assertTrue(replica.serves());
        assertTrue(replica.tenure().fence().floorTick() > ceiling);
        assertEquals(1, replica.draw(1));
    }

    @Test
    void shouldSayWhatIsLostWhenZooKeeperCameBackFromBackup() {
        Replicated replica = rolledBack();
        replica.loop.verifySoon();
        replica.step();
        assertEquals(FenceReason.ROLLED_BACK, replica.reason());
        assertEquals(
                "ZooKeeper has lost what it acknowledged, as after a restore from a backup; run fence-restore"
                        + " (/ids/sno/records/0 is at version 1 and was at 13)",
                replica.why());
    }

    /** On its new session, the first thing that the replica would do is to take its slot up. */
    @Test
    void shouldRefuseWhenSessionWasLostAndRecordIsGone() {
        Replicated replica = bench.replica("a", sno).step();
        bench.zookeeper.delete("/ids/sno/records/0");
        bench.zookeeper.expire(replica.client.session().id());
        replica.letPass(Duration.ofSeconds(3));
        assertFalse(replica.serves());
        assertTrue(bench.zookeeper.node(Bench.TREE.meta()).isEmpty());
    }

    /** The record that was made anew as proof is the tenure's own. */
    @Test
    void shouldLeaveInOrderTheRecordThatItMadeAsProof() {
        Replicated replica = bench.replica("a", sno).step();
        Tenure witness = replica.tenure();
        bench.zookeeper.delete("/ids/sno/records/0");
        replica.loop.verifySoon();
        replica.step();
        restore();
        replica.step();
        SlotRecord left = bench.record(pool, 0);
        assertTrue(left.released());
        assertEquals(witness.fence().floorTick() - 1, left.ceiling());
    }

    @Test
    void shouldRefuseWhenRolledBackRecordIsWrittenAmidProof() {
        Replicated replica = rolledBack();
        replica.loop.verifySoon();
        replica.amid(
                "multi",
                Fault.NONE,
                () -> bench.zookeeper.set("/ids/sno/records/0", Json.write(bench.record(pool, 0))));
        replica.stepFor(Duration.ofSeconds(1));
        assertEquals(FenceReason.ROLLED_BACK, replica.reason());
    }

    /** After a step has looked at it, and before it is watched for the slot that was just claimed. */
    @Test
    void shouldFenceAtOnceWhenMetaGoesJustBeforeItIsWatched() {
        Replicated replica = bench.replica("a", sno);
        replica.stepUntil(() -> !replica.slots().tenures().isEmpty());
        Tenure claimed = replica.tenure();
        replica.amid("watch " + Bench.TREE.meta(), Fault.NONE, () -> bench.zookeeper.delete(Bench.TREE.meta()));
        replica.step();
        assertEquals(FenceReason.META_GONE, Bench.whyTripped(claimed));
    }

    private static MetaWatch metaWatch(Replicated replica) {
        Znodes nodes = Bench.nodes(replica.client);
        LeaderClock leaderClock = new LeaderClock(replica.clock, Duration.ofSeconds(2));
        ReplicaSlots none = new ReplicaSlots(List.of());
        return new MetaWatch(
                nodes,
                new Incarnations(nodes, OptionalInt.empty(), Bench.AHEAD, leaderClock),
                none,
                new ReplicaTenures(
                        none, new Releaser(nodes, replica.clock, leaderClock, new IssuedTicks(), new RetryLog())));
    }

    /** A server that is behind shows an old record, even after a sync; the other servers do not confirm it. */
    @Test
    void shouldLeaveMetaWhenRecordIsOnlyStale() {
        Replicated replica = bench.replica("a", sno).step();
        int old = bench.version("/ids/sno/records/0");
        replica.stepFor(Duration.ofSeconds(5));
        MetaWatch watch = metaWatch(replica);
        watch.followOrBegin();
        for (OptionalInt version : List.of(OptionalInt.of(old), OptionalInt.empty())) {
            RolledBackException stale = new RolledBackException(replica.tenure(), "/ids/sno/records/0", version);
            assertFalse(watch.removeMetaIfLost(stale));
        }
        assertTrue(bench.zookeeper.node(Bench.TREE.meta()).isPresent());
    }

    @Test
    void shouldStopInOrderWhenZooKeeperCameBackFromBackup() {
        Replicated replica = rolledBack();
        replica.loop.close();
        assertTrue(replica.loop.isClosed());
    }

    /** Everything is removed while a replica leaves, which is on its way to give its slot back. */
    @Test
    void shouldBeginNothingInAnEmptiedRootWhenStopped() {
        Replicated replica = bench.replica("a", sno).step();
        replica.amid("multi /ids/sno/leases", Fault.NONE, () -> bench.zookeeper.delete(Bench.ROOT));
        replica.loop.close();
        assertTrue(bench.zookeeper.node(Bench.TREE.meta()).isEmpty());
        assertTrue(replica.loop.isClosed());
    }

    /** The same, and meta has only changed: the slot is given back under the new one. */
    @Test
    void shouldGiveSlotBackUnderNewMetaWhenItChangesWhileStopped() {
        Replicated replica = bench.replica("a", sno).step();
        replica.amid("multi /ids/sno/leases", Fault.NONE, this::restore);
        replica.loop.close();
        replica.loop.close();
        assertTrue(replica.loop.isClosed());
        assertTrue(bench.leases(pool).isEmpty());
    }

    @Test
    void shouldRefuseWhenIncarnationIsMissing() {
        Replicated replica = bench.replica("a", sno).step();
        String path = Bench.TREE.incarnation(bench.meta().incarnation());
        bench.zookeeper.delete(path);
        replica.stepFor(Duration.ofSeconds(3));
        assertEquals(FenceReason.META_GONE, replica.reason());
        assertTrue(replica.why().contains(path + " does not exist"), replica.why());
    }

    /**
     * A write is on its way while a backup comes back and an operator runs fence-restore. Meta and the record have the
     * versions again that the write expects, and the generation is the same. The write must not pass, neither as a
     * renewal nor as a release, which would lower a ceiling.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWriteNothingOfOldIncarnationWhenVersionsAreTheSameAgain(boolean release) {
        Replicated replica = bench.replica("a", sno);
        NavigableMap<String, Znode> backup = bench.zookeeper.tree();
        restorePromising();
        untilItServes(replica);
        SlotRecord[] later = new SlotRecord[1];
        List<Object> expected = versions();
        bench.advance(Duration.ofMillis(2_500));
        replica.amid("multi /ids/sno", Fault.NONE, () -> {
            bench.zookeeper.restore(backup);
            restorePromising();
            untilItServes(bench.replica("b", sno));
            later[0] = bench.record(pool, 0);
            assertEquals(expected, versions(), "as they were");
        });
        if (release) {
            replica.loop.close();
        } else {
            replica.step();
        }
        assertEquals(later[0], bench.record(pool, 0));
    }

    /** The operator promises the window and the skew that all replicas have. */
    private FenceRestore.Report restorePromising() {
        return OnStore.fenceRestore(
                bench.access(sno),
                FenceRestore.Options.promised(Duration.ofSeconds(10), Duration.ofSeconds(2), Instant.EPOCH));
    }

    private static void untilItServes(Replicated replica) {
        while (!replica.serves()) {
            replica.stepFor(Duration.ofMillis(100));
        }
    }

    /** All that a write of the slot could be conditional on, but for the incarnation's name. */
    private List<Object> versions() {
        return List.of(
                bench.version(Bench.TREE.meta()),
                bench.zookeeper.children(Bench.TREE.layout(pool)),
                bench.version(Bench.TREE.record(Slot.of(sno, 0))));
    }
}
