package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.Draw;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.PoolView;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.testing.SmallPool;
import org.idallocator.zk.znode.Slot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which slot is chosen, what callers are told when none can be, worker IDs, which are held for a limited time, and
 * several slots.
 */
final class PoolTest {
    private final Bench bench = new Bench();

    @Test
    void shouldNameSchemeSizeAndHoldersWhenPoolIsFullAndClaimWhenASlotIsReleased() {
        Replicated first = bench.replica("first", Bench.sno(2)).step();
        bench.replica("second", Bench.sno(2)).step();
        Replicated third = bench.replica("third", Bench.sno(2)).stepFor(Duration.ofSeconds(3));
        assertEquals(FenceReason.NO_FREE_SLOT, third.reason());
        String why = third.why();
        assertTrue(why.startsWith("every slot of the pool is held; a slot is claimed as soon as one is released"), why);
        assertTrue(why.contains("sno has 2 slots: 0 by "), why);
        assertTrue(why.contains("first") && why.contains("second"), why);
        first.loop.close();
        third.stepFor(Duration.ofSeconds(1));
        assertTrue(third.serves());
    }

    @Test
    void shouldSayThatPoolIsFullWhereTheLeaseOfAHolderMayNotBeRead() {
        bench.replica("first", Bench.sno(2)).step();
        bench.replica("second", Bench.sno(2)).step();
        bench.zookeeper.hide("/ids/sno/leases/0"::equals);
        Replicated third = bench.replica("third", Bench.sno(2)).stepFor(Duration.ofSeconds(3));

        assertEquals(FenceReason.NO_FREE_SLOT, third.reason());
        assertTrue(third.why().contains("0 by a holder whose lease may not be read"), third.why());
    }

    /** Each draws a number for each slot that it wants: so what they want has nothing in common. */
    @Test
    void shouldNotMeetWhenReplicasClaimSeveralSlotsByIndexAtOnce() {
        Scheme<?> uid60 = new Uid60Scheme(Duration.ofHours(1));
        Map<String, Integer> eight = Map.of("uid60", 8);
        bench.replica("before", uid60).step();
        Replicated first = bench.replica(Bench.settings("first", List.of(uid60)).withLeases(eight));
        Replicated second =
                bench.replica(Bench.settings("second", List.of(uid60)).withLeases(eight));
        first.amid("multi /ids/uid60/records", Fault.NONE, second::step);
        first.step();
        assertEquals(8, second.slots().tenures().size());
        assertEquals(8, first.slots().tenures().size());
    }

    /** Nobody knows whether the slot is free. It may well be, and an operator has nothing to retire or to enlarge. */
    @Test
    void shouldSayThatZooKeeperDoesNotAnswerWhereARecordIsAskedForInVain() {
        Replicated replica = bench.replica("a", Bench.sno(1));
        replica.client.next("read /ids/sno/records/0", Fault.REQUEST_LOST);
        replica.step();

        assertEquals(FenceReason.UNREACHABLE, replica.reason());
        replica.stepFor(Duration.ofSeconds(1));
        assertTrue(replica.serves());
    }

    @Test
    void shouldNameThreeHoldersWhenThereAreMore() {
        for (int i = 0; i < 8; i++) {
            bench.replica("r" + i, Bench.sno(8)).step();
        }
        String why = bench.replica("late", Bench.sno(8)).step().why();
        assertTrue(why.endsWith(" and 5 more)"), why);
    }

    /** A lease of another layout's slot, with more digits, may come back with a backup while its session lives. */
    @Test
    void shouldFillThePoolWithItsOwnSlotsAlone() {
        Replicated first = bench.replica("first", Bench.sno(2)).step();
        bench.zookeeper.create(
                "/ids/sno/leases/0000",
                "of another layout",
                first.client.session().id());
        assertTrue(bench.replica("second", Bench.sno(2)).step().serves());
        assertEquals(
                FenceReason.NO_FREE_SLOT,
                bench.replica("third", Bench.sno(2)).step().reason());
    }

    @Test
    void shouldChooseColdSlotFirst() {
        Replicated crashed = bench.replica("a", Bench.sno(2)).step();
        long hot = crashed.tenure().slot().number();
        bench.zookeeper.expire(crashed.client.session().id());
        assertNotEquals(
                hot, bench.replica("b", Bench.sno(2)).step().tenure().slot().number());
    }

    @Test
    void shouldShowBothLayoutsWhenTheyDifferAndServeOtherSchemes() {
        bench.replica("a", new SnoScheme(7, 1, 4)).step();
        Replicated other =
                bench.replica("b", new SnoScheme(7, 1, 8), new MuidScheme()).step();
        assertEquals(FenceReason.LAYOUT_MISMATCH, other.reason());
        String layout =
                "{\"bits\":39,\"partition\":7,\"partitions\":1,\"shards\":%1$d,\"slots\":%1$d,\"tickMicros\":4000}";
        assertEquals(
                "the layout in ZooKeeper differs from the configuration; correct the configuration, or run leases relayout"
                        + " (/ids/sno/layout: it is " + layout.formatted(4) + ", configured is " + layout.formatted(8)
                        + ")",
                other.why());
        other.stepFor(Bench.AHEAD);
        assertTrue(other.serves(1), "of a pool that is new to the root, once its floor is past");
    }

    @Test
    void shouldCountTheSlotsOfTheLayoutInZooKeeper() {
        Slot held = bench.replica("a", Bench.sno(32)).step().tenure().slot();
        ClusterView otherwise = ClusterView.on(bench.access(Bench.sno(2)));

        assertEquals(
                new PoolView.Counts("sno", 32, 1, 31, 0, 0, 0),
                otherwise.pool(Bench.sno(2)).orElseThrow().counts());
        assertEquals(
                List.of(held.name() + " held"),
                otherwise.leases(Bench.sno(2)).stream()
                        .map(view -> view.slot() + " " + view.state())
                        .toList());
    }

    @Test
    void shouldSayWhereWhenPermissionIsMissing() {
        bench.zookeeper.forbid(path -> path.startsWith("/ids"));
        Replicated replica = bench.withoutPromise().replica("a", Bench.sno(1)).step();
        assertEquals(FenceReason.NO_PERMISSION, replica.reason());
        assertTrue(replica.why().endsWith("(/ids: NOAUTH)"), replica.why());
    }

    @Test
    void shouldServeOtherSchemesWhenPermissionIsMissingForOne() {
        bench.replica("a", Bench.sno(4), new MuidScheme()).step();
        bench.zookeeper.forbid(path -> path.startsWith("/ids/sno"));
        Replicated replica = bench.replica("b", Bench.sno(4), new MuidScheme()).step();
        assertEquals(FenceReason.NO_PERMISSION, replica.reason());
        assertTrue(replica.serves(1));
    }

    @Test
    void shouldReuseMedallionWhenOneWasReleased() {
        MuidScheme muid = new MuidScheme();
        Replicated first = bench.replica("a", muid).step();
        long slot = first.tenure().slot().number();
        assertEquals(1, first.draw(1));
        first.loop.close();
        bench.zookeeper.create("/ids/muid/records/README", "", 0);
        bench.advance(Duration.ofMillis(1));
        assertEquals(slot, bench.replica("b", muid).step().tenure().slot().number());
    }

    @Test
    void shouldClaimWorkerIdsInTurn() {
        List<Long> slots = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            slots.add(
                    bench.replica("r" + i, worker(3_600)).step().tenure().slot().number());
        }
        assertEquals(List.of(0L, 1L, 2L), slots);
    }

    private static Scheme<?> worker(int seconds) {
        return new Uid60Scheme(Duration.ofSeconds(seconds));
    }

    /**
     * The shortest tenures that can be configured leave a fifth for the swap that is shorter than a renewal's interval.
     */
    @ParameterizedTest
    @CsvSource({"10, 1", "60, 1", "20, 3"})
    void shouldSwapWorkerIdBeforeItsEndWithoutGap(int seconds, int leases) {
        Replicated replica = holding(leases, worker(seconds)).step();
        Set<String> tenures = new HashSet<>();
        for (int i = 0; i < 40 * seconds; i++) {
            replica.letPass(Duration.ofMillis(100));
            tenures.add(replica.tenure().nonce());
            assertEquals(3, replica.draw(3), "at " + i * 100 + " ms");
            assertEquals(leases, replica.slots().tenures().size());
        }
        assertTrue(tenures.size() >= 4, tenures.toString());
        assertEquals(leases, bench.leases(replica.slots().pool()).size());
    }

    @Test
    void shouldNeverHoldWorkerIdLongerThanItsTenure() {
        Replicated replica = bench.replica("a", SmallPool.of(new Uid60Scheme(Duration.ofMinutes(1)), 1))
                .step();
        Tenure first = replica.tenure();
        replica.stepFor(Duration.ofSeconds(59));
        assertEquals(first, replica.tenure());
        assertTrue(first.fence().deadlineNanos() - first.grant().endNanos().orElseThrow() <= 0);
        replica.stepFor(Duration.ofSeconds(3));
        assertNotEquals(first, replica.tenure());
        assertTrue(replica.serves());
    }

    private ClusterView operator(Scheme<?> scheme) {
        return ClusterView.on(bench.access(scheme));
    }

    @Test
    void shouldNeverClaimSlotWhenItIsRetired() {
        Scheme<?> sno = Bench.sno(2);
        ClusterView operator = operator(sno);
        bench.replica("first", sno).step().loop.close();
        assertNotNull(operator.retire(sno, 0));
        assertEquals(LeaseView.State.RETIRED, operator.lease(sno, 0).state());
        Replicated replica = bench.replica("a", sno).step();
        assertEquals(1, replica.tenure().slot().number());
        assertNotNull(operator.retire(sno, 1));
        replica.step();
        assertFalse(replica.serves(), "at once");
        replica.stepFor(Duration.ofSeconds(30));
        assertEquals(FenceReason.NO_FREE_SLOT, replica.reason());
        assertTrue(replica.why().endsWith("sno has 2 slots: all are retired)"), replica.why());
    }

    @Test
    void shouldRetireFromNewHolderWhenSlotIsClaimedMeanwhile() {
        Scheme<?> sno = Bench.sno(1);
        bench.replica("first", sno).step().loop.close();
        Replicated operator = bench.replica("operator", sno);
        operator.amid(
                "multi /ids/sno", Fault.NONE, () -> bench.replica("a", sno).step());
        ClusterView view = ClusterView.on(operator.access(sno));
        assertEquals("a", Objects.requireNonNull(view.retire(sno, 0).holder()).instance());
        assertEquals(LeaseView.State.RETIRED, view.lease(sno, 0).state());
    }

    private static Scheme<?> workers(int slots) {
        return SmallPool.of(new Uid60Scheme(Duration.ofHours(1)), slots);
    }

    private Replicated holding(int leases, Scheme<?> scheme) {
        return bench.replica(Bench.settings("several", List.of(scheme)).withLeases(Map.of(scheme.name(), leases)));
    }

    @Test
    void shouldDrawStraightFromTheSlotWhenThereIsOneAtMost() {
        Replicated one = holding(1, workers(8)).step();
        assertSame(one.tenure().generator(), one.slots().current());
        Replicated two = holding(2, workers(8)).step();
        Generator spread = two.slots().current();
        assertNotEquals(two.tenure().generator(), spread);
        assertSame(spread, two.slots().current(), "callers compare");
    }

    /** All that eight workers have: 8,192 IDs a second, none of them twice. */
    @Test
    void shouldReachTheCapOfEightWorkers() {
        Replicated replica = holding(8, workers(512)).step();
        Set<Long> ids = new HashSet<>();
        for (int i = 0; i < 60; i++) {
            var unused =
                    Draw.many(replica.slots().current(), 20_000, Variant.NONE, (high, low) -> assertTrue(ids.add(low)));
            replica.stepFor(Duration.ofSeconds(1));
        }
        assertEquals(60 * 8 * 1_024, ids.size());
    }

    @Test
    void shouldGoOnWithOthersAndClaimAnotherWhenOneIsFenced() {
        Replicated replica = holding(3, workers(512)).step();
        List<Tenure> all = replica.slots().tenures();
        bench.zookeeper.forbid(path -> path.contains("/index"));
        bench.zookeeper.delete(Bench.TREE.lease(all.get(0).slot()));
        replica.step();
        assertEquals(FenceReason.LEASE_GONE, Bench.whyTripped(all.get(0)));
        assertEquals(all.subList(1, 3), replica.slots().tenures());
        bench.advance(Duration.ofSeconds(1));
        assertEquals(2 * 1_024, replica.draw(3 * 1_024));
        SchemeStatus status = replica.status();
        assertTrue(status.active());
        assertEquals(Optional.of(new SchemeStatus.Slots(2, 3)), status.slots());
        assertEquals(Optional.of(FenceReason.NO_PERMISSION), status.lacking().map(FencedException::reason));
        bench.zookeeper.forbid(path -> false);
        replica.stepFor(Duration.ofSeconds(1));
        assertEquals(Optional.empty(), replica.status().lacking());
    }

    @Test
    void shouldSayWhatIsLackingWhenThePoolHasTooFew() {
        Scheme<?> two = workers(2);
        Replicated both = holding(2, two).step();
        assertEquals(Optional.empty(), both.status().lacking());
        assertNotNull(operator(two).retire(two, both.tenure().slot().number()));
        both.step();
        SchemeStatus status = both.status();
        assertTrue(status.active(), "the other slot serves");
        assertEquals(Optional.of(FenceReason.NO_FREE_SLOT), status.lacking().map(FencedException::reason));
    }
}
