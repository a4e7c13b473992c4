package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Pools;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.Doctor;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.OperatorAccess;
import org.idallocator.zk.operator.Outcome;
import org.idallocator.zk.operator.RefusedException;
import org.idallocator.zk.operator.Relayout;
import org.idallocator.zk.operator.Retired;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.SimulatedClient;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.store.SimulatedZooKeeper.Znode;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.testing.SmallPool;
import org.junit.jupiter.api.Test;

/**
 * What ZooKeeper's history cannot tell, because it is another one: wiped and restored ZooKeepers, changed layouts. A holder is cut
 * off in all of them and goes on serving, and its clock goes wherever its ceiling lets it: none of its IDs may come again.
 */
final class DisastersTest {
    private static final Duration NEARLY_THE_SKEW = Duration.ofMillis(1_900);
    private static final Duration STEP = Duration.ofMillis(100);

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(1);
    private final SlotPool pool = sno.pool().orElseThrow();
    private final Set<List<Long>> ids = new HashSet<>();

    /** Draws from all of these, and finds no ID that was drawn before. */
    private void drawFrom(Replicated... replicas) {
        for (Replicated replica : replicas) {
            try {
                var unused = replica.keeper(0)
                        .current()
                        .draw(
                                3,
                                Variant.NONE,
                                (high, low) -> assertTrue(ids.add(List.of(high, low)), "the same ID twice"));
            } catch (FencedException e) {
                // nothing was issued
            }
        }
    }

    /** The first of them steps while all of them are drawn from, until time is over. */
    private void live(Duration time, Replicated connected, Replicated... others) {
        Instant end = bench.now().plus(time);
        while (bench.now().isBefore(end)) {
            connected.step();
            drawFrom(connected);
            drawFrom(others);
            bench.advance(STEP);
        }
    }

    private static void off(Replicated replica, Duration far) {
        replica.clock.off(far.toNanos() / 1_000);
    }

    private static Replicated cutOff(Replicated replica) {
        replica.client.connected(false);
        return replica;
    }

    /** Everything that ZooKeeper had is gone, its sessions with it. */
    private void wipe() {
        bench.zookeeper.sessions().forEach(bench.zookeeper::expire);
        bench.zookeeper.restore(new TreeMap<>(java.util.Map.of("", Znode.parent())));
    }

    private static AllocatorSettings settings(String name, Scheme<?> scheme, Duration window) {
        AllocatorSettings usual = Bench.settings(name, List.of(scheme));
        return new AllocatorSettings(
                usual.schemes(),
                new ZooKeeperSettings(
                        "simulated:2181", Bench.ROOT, Duration.ofSeconds(60), List.of(), java.util.Map.of()),
                window,
                usual.maxClockSkew(),
                usual.maxWait(),
                usual.replica());
    }

    private FenceRestore.Report fenceRestore() {
        return FenceRestore.run(
                new OperatorAccess(bench.zookeeper.connect(), bench.clock(), Bench.settings("operator", List.of(sno))),
                FenceRestore.Options.none());
    }

    @Test
    void shouldIssueNothingTwiceWhenZooKeeperIsWipedAndAnotherReplicaStarts() {
        Replicated holder = bench.replica("holder", sno).step();
        drawFrom(holder);
        cutOff(holder);
        wipe();
        Replicated fresh = bench.replica("fresh", sno);
        live(Bench.AHEAD.plusSeconds(1), fresh, holder);
        assertTrue(fresh.serves(), "by itself, once its floor is past");
        assertTrue(ids.size() > 200, "both have issued: " + ids.size());
    }

    @Test
    void shouldIssueNothingTwiceWhenHoldersClockJumpsWithinItsCeiling() {
        Replicated holder = bench.replica("holder", sno);
        off(holder, NEARLY_THE_SKEW);
        holder.step();
        cutOff(holder);
        wipe();
        Replicated fresh = bench.replica("fresh", sno);
        off(fresh, NEARLY_THE_SKEW);
        live(Duration.ofSeconds(7), fresh);
        off(holder, Duration.ofMillis(4_900)); // from 7 s on to just below its ceiling, 11.9 s
        drawFrom(holder);
        live(Bench.AHEAD, fresh, holder);
        assertTrue(fresh.serves());
    }

    @Test
    void shouldIssueNothingTwiceWhenOperatorsFileHasAShorterWindow() {
        Duration minute = Duration.ofSeconds(60);
        Replicated holder = bench.replica(settings("holder", sno, minute)).step();
        NavigableMap<String, Znode> backup = bench.zookeeper.tree();
        bench.advance(Duration.ofSeconds(30));
        holder.step();
        cutOff(holder);
        bench.zookeeper.restore(backup);
        fenceRestore();
        Replicated next = bench.replica(settings("next", sno, minute));
        bench.zookeeper.expire(holder.client.believedSession());
        off(holder, Duration.ofSeconds(55));
        drawFrom(holder);
        off(holder, Duration.ZERO);
        live(Duration.ofSeconds(90), next, holder);
        assertTrue(next.serves());
    }

    @Test
    void shouldRefuseWhenNewIncarnationsFloorIsBelowWhatWasReserved() {
        Duration minute = Duration.ofSeconds(60);
        Replicated holder = bench.replica(settings("holder", sno, minute)).step();
        Instant reserved = holder.tenure().reservedThrough();
        cutOff(holder);
        wipe();
        Replicated shorter = bench.replica("shorter", sno).step();
        holder.client.connected(true);
        holder.stepFor(Duration.ofSeconds(1));
        assertEquals(FenceReason.ROLLED_BACK, holder.reason());
        assertTrue(holder.why().contains("is not above " + reserved), holder.why());
        assertTrue(bench.zookeeper.node(Bench.TREE.meta()).isEmpty(), "so that nobody serves below");
        shorter.stepFor(Duration.ofSeconds(20));
        assertEquals(FenceReason.META_GONE, shorter.reason());
        fenceRestore();
        holder.stepFor(Duration.ofSeconds(1));
        assertEquals(FenceReason.LAYOUT_MISMATCH, holder.reason(), "its floor is high enough now");
        shorter.stepFor(Duration.ofSeconds(90));
        assertTrue(shorter.serves());
    }

    /** A was about to begin in the empty root; B began and served, found a loss, and took meta away. */
    @Test
    void shouldNotBeginWhenMetaCameAndWentMeanwhile() {
        Replicated paused = bench.withoutPromise().replica("a", sno);
        paused.amid("multi /ids/meta", Fault.NONE, () -> {
            Replicated other = bench.replica("b", sno).step();
            other.client.multi(
                    Root.read(Bench.nodes(other.client)).orElseThrow().removal(Bench.TREE, Instant.EPOCH));
            bench.zookeeper.ensure("/ids/sno"); // what B has made besides
        });
        paused.step();
        assertTrue(bench.zookeeper.node(Bench.TREE.meta()).isEmpty());
        assertEquals(FenceReason.META_GONE, paused.reason());
    }

    @Test
    void shouldBeginAboveAllWhenRootWasWipedWhileSomebodyWasAboutToBegin() {
        Replicated paused = bench.withoutPromise().replica("a", sno);
        Instant[] reserved = new Instant[1];
        paused.amid("multi /ids/meta", Fault.NONE, () -> {
            Replicated other = bench.replica("b", sno).stepFor(Duration.ofSeconds(60));
            reserved[0] = other.tenure().reservedThrough();
            cutOff(other);
            bench.zookeeper.delete(Bench.ROOT);
            bench.zookeeper.ensure(Bench.ROOT); // its version is what it was: the transaction passes
        });
        paused.loop.step();
        assertTrue(Root.read(Bench.nodes(paused.client)).orElseThrow().floor().isAfter(reserved[0]));
    }

    /** Somebody found the pool unused and stopped; it was used by longer terms, and its layout was deleted. */
    @Test
    void shouldBeginPoolOfOwnTermsOnlyTogetherWithItsRecords() {
        Replicated paused = bench.withoutPromise().replica("a", sno);
        Instant[] reserved = new Instant[1];
        paused.amid("multi /ids/sno/layout", Fault.NONE, () -> {
            Replicated other =
                    bench.replica(settings("b", sno, Duration.ofSeconds(60))).stepFor(Duration.ofSeconds(90));
            reserved[0] = other.tenure().reservedThrough();
            cutOff(other);
            bench.zookeeper.delete("/ids/sno/layout");
        });
        paused.step().stepFor(Duration.ofSeconds(1));
        Layouts.Seen layout = Layouts.read(Bench.nodes(paused.client), pool).orElseThrow();
        assertTrue(layout.floor().isAfter(reserved[0]), layout + ", reserved through " + reserved[0]);
    }

    /** Requests of the old incarnation that arrive late would make parents, and the root would not be empty any more. */
    @Test
    void shouldStayEmptyWhenLateRequestsArriveAfterAWipe() {
        Replicated late = bench.replica("late", sno);
        late.amid("read /ids/sno/leases", Fault.NONE, this::wipe);
        late.loop.step();
        assertTrue(
                bench.zookeeper.children("").isEmpty(),
                "" + bench.zookeeper.tree().keySet());
        late.stepFor(Bench.AHEAD.plusSeconds(1));
        assertTrue(late.serves());
    }

    /** As in the midst of a {@code deleteall}: the record of a slot is gone before anything else, and its holder is cut off. */
    @Test
    void shouldIssueNothingTwiceWhenARecordIsDeleted() {
        Replicated holder = bench.replica("holder", sno).step();
        drawFrom(holder);
        cutOff(holder);
        bench.zookeeper.expire(holder.client.believedSession());
        bench.zookeeper.delete("/ids/sno/records/0");
        Replicated next = bench.replica("next", sno);
        live(Duration.ofSeconds(20), next, holder);
        assertTrue(next.serves(), "above all that could have been reserved");
    }

    @Test
    void shouldMakeNothingWhenSomebodyLooks() {
        ClusterView view = ClusterView.on(new OperatorAccess(
                bench.zookeeper.connect(),
                bench.withoutPromise().replica("clock", sno).clock,
                Bench.settings("a", List.of(sno))));
        assertEquals(List.of(), view.leases());
        assertEquals(List.of(), view.members());
        assertEquals(LeaseView.State.FREE, view.lease(sno, 0).state());
        assertTrue(view.holder(sno, 0).isEmpty());
        assertEquals(Outcome.GONE_ALREADY, view.takeAway(sno, 0, "nobody"));
        assertEquals(Set.of(""), bench.zookeeper.tree().keySet());
    }

    @Test
    void shouldLeaveServicesMemberNodeAloneWhenCommandHasItsName() {
        Replicated service = bench.replica("service", sno).step();
        var member = bench.zookeeper.node(Bench.TREE.member("service"));
        ClusterView.on(new OperatorAccess(
                        bench.zookeeper.connect(), service.clock, Bench.settings("service", List.of(sno))))
                .leases();
        assertEquals(member, bench.zookeeper.node(Bench.TREE.member("service")));
    }

    // --- changed layouts

    /** The same IDs, cut otherwise: slot 1 of two has the upper half of the sequences, slot 1 of four a quarter of the lower. */
    private static Scheme<?> halves() {
        return new SnoScheme(7, 1, 2);
    }

    private static Scheme<?> quarters() {
        return new SnoScheme(7, 1, 4);
    }

    private Relayout.Report relayout(Scheme<?> to, boolean fence) {
        return Relayout.run(
                new OperatorAccess(bench.zookeeper.connect(), bench.clock(), Bench.settings("operator", List.of(to))),
                to,
                fence);
    }

    @Test
    void shouldIssueNothingTwiceWhenLayoutChanges() {
        Replicated low = bench.replica("low", halves());
        off(low, NEARLY_THE_SKEW);
        low.step();
        Replicated high = bench.replica("high", halves()).step();
        drawFrom(low, high);
        cutOff(low);
        Relayout.Report report = relayout(quarters(), true);
        assertEquals(bench.now().plus(Bench.AHEAD), report.floor());
        assertEquals(2, report.fenced().size(), report.toString());
        high.step();
        assertEquals(FenceReason.LAYOUT_MISMATCH, high.reason());
        Replicated[] next = {
            bench.replica("1", quarters()), bench.replica("2", quarters()), bench.replica("3", quarters())
        };
        for (Replicated each : next) {
            off(each, NEARLY_THE_SKEW);
        }
        live(Duration.ofSeconds(7), next[0], low);
        off(low, Duration.ofMillis(4_900));
        drawFrom(low);
        off(low, Duration.ZERO);
        bench.zookeeper.expire(low.client.believedSession());
        for (int i = 0; i < 150; i++) {
            for (Replicated each : next) {
                each.step();
            }
            drawFrom(next);
            drawFrom(low, high);
            bench.advance(STEP);
        }
        assertTrue(next[0].serves() && next[1].serves() && next[2].serves());
    }

    @Test
    void shouldFenceAtOnceWhenLayoutChanges() {
        Replicated holder = bench.replica("a", halves()).step();
        Tenure tenure = holder.tenure();
        relayout(quarters(), true);
        holder.loop.step();
        assertEquals(
                FenceReason.LAYOUT_CHANGED,
                tenure.fence().trip(FenceReason.STARTING, "").reason());
        holder.step();
        assertEquals(List.of(), bench.leases(pool), "its lease is given back");
    }

    @Test
    void shouldRefuseRelayoutWhileSlotsAreHeld() {
        bench.replica("a", halves()).step();
        RefusedException e = assertThrows(RefusedException.class, () -> relayout(quarters(), false));
        assertTrue(
                String.valueOf(e.getMessage()).matches("/ids/sno/layout is in use: slot [01] by a; stop .*"),
                e.getMessage());
    }

    @Test
    void shouldSayWhatWasDoneWhenItComesBackAsConflict() {
        bench.replica("a", halves()).step();
        SimulatedClient operator = bench.zookeeper.connect();
        operator.next("multi /ids/sno/layout", Fault.REPEATED);
        Relayout.Report changed = Relayout.run(
                new OperatorAccess(operator, bench.clock(), Bench.settings("operator", List.of(quarters()))),
                quarters(),
                true);
        assertEquals(1, changed.fenced().size());
        String before = bench.meta().incarnation();
        operator.next("multi /ids/meta", Fault.REPEATED);
        FenceRestore.Report restored = FenceRestore.run(
                new OperatorAccess(operator, bench.clock(), Bench.settings("operator", List.of(sno))),
                FenceRestore.Options.none());
        assertEquals(before, restored.oldIncarnation());
        assertEquals(bench.meta().incarnation(), restored.incarnation());
    }

    @Test
    void shouldSayThatNothingWasDoneWhenSomebodyElseWasFaster() {
        Replicated one = bench.replica("one", halves());
        one.amid("multi /ids/meta", Fault.NONE, this::fenceRestore);
        assertThrows(
                StoreException.class,
                () -> FenceRestore.run(
                        new OperatorAccess(one.client, bench.clock(), Bench.settings("operator", List.of(sno))),
                        FenceRestore.Options.none()));
        Replicated other = bench.replica("other", halves()).step();
        other.amid("multi /ids/sno/layout", Fault.NONE, this::fenceRestore);
        assertThrows(
                StoreException.class,
                () -> Relayout.run(
                        new OperatorAccess(
                                other.client, bench.clock(), Bench.settings("operator", List.of(quarters()))),
                        quarters(),
                        true));
    }

    @Test
    void shouldChangeNothingWhenLayoutIsAsConfigured() {
        bench.replica("a", halves()).step();
        assertThrows(RefusedException.class, () -> relayout(halves(), true));
    }

    @Test
    void shouldListRetiredSlotsWhenLayoutChanges() {
        Replicated replica = bench.replica("a", halves()).step();
        view(halves(), replica).retire(halves(), 1);
        replica.loop.close();
        assertEquals(List.of("1"), relayout(quarters(), false).retired());
        assertEquals(
                LeaseView.State.RETIRED,
                view(quarters(), replica).lease(quarters(), 1).state());
    }

    /** Names have as many digits as the pool needs: 07 of sixteen slots is 7 of eight. */
    @Test
    void shouldKeepSlotsRetiredByTheirNumbersWhenNamesGetShorter() {
        Scheme<?> sixteen = new SnoScheme(0, 16, 1);
        Scheme<?> eight = new SnoScheme(0, 8, 1);
        Replicated replica = bench.replica("a", sixteen).step();
        replica.loop.close();
        view(sixteen, replica).retire(sixteen, 7);
        view(sixteen, replica).retire(sixteen, 12);
        Relayout.Report shorter = relayout(eight, false);
        assertEquals(List.of("7"), shorter.retired());
        assertEquals(List.of("12"), shorter.dropped());
        assertEquals(
                LeaseView.State.RETIRED, view(eight, replica).lease(eight, 7).state());
        Relayout.Report longer = relayout(sixteen, false);
        assertEquals(Set.of("07", "12"), Set.copyOf(longer.retired()));
    }

    private ClusterView view(Scheme<?> scheme, Replicated replica) {
        return ClusterView.on(new OperatorAccess(
                bench.zookeeper.connect(), replica.clock, Bench.settings("operator", List.of(scheme))));
    }

    /** The operator's hands, as an older guide had it: a layout that is deleted, and made anew by a replica configured otherwise. */
    @Test
    void shouldIssueNothingTwiceWhenLayoutIsDeletedByHand() {
        Replicated holder = bench.replica("a", halves()).step();
        drawFrom(holder);
        bench.zookeeper.delete("/ids/sno/layout");
        Replicated other = bench.replica("b", quarters()).step();
        assertEquals(FenceReason.COOLING, other.reason());
        assertTrue(
                other.why().endsWith("(for 82000 ms)"), "nobody knows the terms of what was deleted: " + other.why());
        live(Duration.ofSeconds(90), other, holder);
        holder.step();
        assertEquals(FenceReason.LAYOUT_MISMATCH, holder.reason());
        assertTrue(other.serves());
    }

    /** A claim is on its way; the layout goes, and comes again with the same version. */
    @Test
    void shouldNotClaimWhenLayoutCameAgainWithTheSameVersion() {
        bench.replica("before", halves()).step().loop.close();
        Replicated late = bench.replica("late", halves());
        late.amid("multi /ids/sno/records", Fault.NONE, () -> {
            bench.zookeeper.delete("/ids/sno/layout");
            bench.replica("b", quarters()).step();
        });
        late.loop.step();
        assertFalse(late.serves());
        assertEquals(List.of(), bench.leases(pool));
    }

    @Test
    void shouldRefuseLayoutWhenItWasEditedByHand() {
        bench.replica("a", halves()).step();
        String layout = bench.zookeeper.node("/ids/sno/layout").orElseThrow().data();
        bench.zookeeper.set("/ids/sno/layout", layout.replace("\"shards\":2,\"slots\":2", "\"shards\":4,\"slots\":4"));
        Replicated late = bench.replica("b", quarters()).step();
        assertEquals(FenceReason.LAYOUT_MISMATCH, late.reason());
        assertTrue(late.why().contains("was edited by hand"), late.why());
        relayout(quarters(), true);
        late.stepFor(Duration.ofSeconds(90));
        assertTrue(late.serves());
    }

    @Test
    void shouldServeNothingWhenWindowDiffers() {
        bench.replica("a", halves()).step();
        Replicated other =
                bench.replica(settings("b", halves(), Duration.ofSeconds(20))).step();
        assertEquals(FenceReason.LAYOUT_MISMATCH, other.reason());
        assertTrue(
                other.why()
                        .endsWith(
                                "(/ids/sno/layout: window is 10000 ms, configured is 20000 ms; sessionTimeout is 10000 ms,"
                                        + " configured is 60000 ms)"),
                other.why());
    }

    // --- clocks that were far ahead, and ZooKeeper's with them

    @Test
    void shouldExchangeSlotWhenClockIsPutRightAfterAnHourAhead() {
        for (Scheme<?> scheme : List.<Scheme<?>>of(new EightByteScheme(0), new MuidScheme())) {
            Bench each = new Bench();
            Replicated replica = each.replica("a", scheme);
            each.leaderOff(Duration.ofHours(1));
            replica.clock.off(Duration.ofHours(1).toNanos() / 1_000);
            replica.stepFor(Duration.ofSeconds(5));
            Tenure ahead = replica.tenure();
            assertEquals(1, replica.draw(1).size());
            each.leaderOff(Duration.ZERO);
            replica.clock.off(0);
            assertFalse(replica.keeper(0).status(Bench.TREE).active(), "draws would fail");
            replica.stepFor(Duration.ofSeconds(3));
            assertTrue(ahead.slot().number() != replica.tenure().slot().number(), scheme.name());
            assertEquals(1, replica.draw(1).size(), scheme.name());
        }
    }

    @Test
    void shouldNotSayActiveWhenClockIsPastTheCeiling() {
        Replicated replica =
                bench.replica(settings("a", sno, Duration.ofSeconds(2))).step();
        cutOff(replica);
        bench.advance(Duration.ofSeconds(3));
        SchemeStatus status = replica.keeper(0).status(Bench.TREE);
        assertEquals(FenceReason.CEILING_PASSED, status.fenced().orElseThrow().reason());
        assertEquals(FenceReason.CEILING_PASSED, replica.reason(), "as draws say");
    }

    @Test
    void shouldSayCoolingWhenTheOnlySlotIsAnHourAhead() {
        Replicated replica = bench.replica("a", SmallPool.of(new EightByteScheme(0), 1));
        bench.leaderOff(Duration.ofHours(1));
        off(replica, Duration.ofHours(1));
        replica.stepFor(Duration.ofSeconds(5));
        replica.draw(1);
        bench.leaderOff(Duration.ZERO);
        off(replica, Duration.ZERO);
        replica.stepFor(Duration.ofSeconds(5));
        long writes = bench.zookeeper.transactions();
        replica.stepFor(Duration.ofSeconds(1));
        assertEquals(FenceReason.COOLING, replica.reason(), replica.why());
        assertTrue(bench.zookeeper.transactions() - writes < 3, "it does not claim and fence all the time");
    }

    /** Every slot of the wiped root may be the one that was an hour ahead. */
    @Test
    void shouldWaitOutTheHourWhenRootIsWipedAfterAnHourAhead() {
        Scheme<?> eightbyte = new EightByteScheme(0);
        Replicated replica = bench.replica("a", eightbyte);
        bench.leaderOff(Duration.ofHours(1));
        off(replica, Duration.ofHours(1));
        replica.stepFor(Duration.ofSeconds(5));
        drawFrom(replica);
        Instant reserved = replica.tenure().reservedThrough();
        bench.leaderOff(Duration.ZERO);
        off(replica, Duration.ZERO);
        wipe();
        replica.stepFor(Duration.ofSeconds(5));
        String incarnation = bench.meta().incarnation();
        assertEquals(reserved, bench.meta().floor());
        replica.stepFor(Duration.ofSeconds(60));
        assertEquals(FenceReason.COOLING, replica.reason(), replica.why());
        assertEquals(incarnation, bench.meta().incarnation(), "it does not begin again and again");
        replica.stepFor(Duration.ofHours(1));
        assertTrue(replica.serves());
        drawFrom(replica);
        assertEquals(6, ids.size());
    }

    /** A leader is an hour behind, as a machine may be before it hears of the time; every replica's clock is right. */
    @Test
    void shouldBeginNothingWhenLeadersClockIsWrong() {
        Replicated holder = bench.replica("holder", sno).step();
        drawFrom(holder);
        cutOff(holder);
        wipe();
        for (Duration off : List.of(Duration.ofHours(-1), Duration.ofHours(1))) {
            bench.leaderOff(off);
            Replicated fresh = bench.replica("fresh", sno);
            live(Duration.ofSeconds(1), fresh, holder);
            assertEquals(FenceReason.CLOCK_SKEW, fresh.reason(), fresh.why());
            assertTrue(bench.zookeeper.node(Bench.TREE.meta()).isEmpty(), fresh.why());
        }
        bench.leaderOff(Duration.ZERO);
        Replicated fresh = bench.replica("fresh", sno);
        live(Bench.AHEAD.plusSeconds(1), fresh, holder);
        assertTrue(fresh.serves());
    }

    @Test
    void shouldBeginNoPoolWhenLeadersClockIsWrong() {
        cutOff(bench.replica("a", sno).step());
        Replicated next = bench.replica("b", sno).step();
        bench.zookeeper.delete("/ids/sno");
        bench.leaderOff(Duration.ofHours(-1));
        next.stepFor(Duration.ofSeconds(1));
        assertEquals(FenceReason.CLOCK_SKEW, next.reason(), next.why());
        assertTrue(bench.zookeeper.node("/ids/sno/layout").isEmpty());
    }

    /** The leader that told the time is not the one that writes. */
    @Test
    void shouldBeginAboveWhenLeadersClockFallsBackInBetween() {
        Replicated holder = bench.replica("holder", sno).step();
        Instant reserved = holder.tenure().reservedThrough();
        cutOff(holder);
        wipe();
        Replicated fresh = bench.replica("fresh", sno);
        fresh.amid("multi /ids/meta", Fault.NONE, () -> bench.leaderOff(Duration.ofHours(-1)));
        fresh.step();
        bench.leaderOff(Duration.ZERO);
        Root.Seen meta = Root.read(Bench.nodes(fresh.client)).orElseThrow();
        assertTrue(meta.floor().isAfter(reserved), "" + meta);
        live(Bench.AHEAD.plusSeconds(1), fresh, holder);
        assertTrue(fresh.serves());
    }

    @Test
    void shouldBeginPoolAboveWhenLeadersClockFallsBackInBetween() {
        Replicated replica = bench.replica("a", sno).step();
        Instant reserved = replica.tenure().reservedThrough();
        cutOff(replica);
        Replicated fresh = bench.replica("fresh", sno).step();
        bench.zookeeper.delete("/ids/sno");
        fresh.amid("multi /ids/sno/layout", Fault.NONE, () -> bench.leaderOff(Duration.ofHours(-1)));
        fresh.stepFor(Duration.ofSeconds(1));
        bench.leaderOff(Duration.ZERO);
        Layouts.Seen layout = Layouts.read(Bench.nodes(fresh.client), pool).orElseThrow();
        assertTrue(layout.floor().isAfter(reserved), "" + layout);
    }

    @Test
    void shouldBeginAboveByCommandWhenLeadersClockFallsBackInBetween() {
        Instant now = bench.now();
        Replicated operator = bench.replica("operator", halves());
        bench.replica("a", halves()).step();
        leaderFallsBackBefore(operator, "multi /ids/sno/layout", 2);
        AllocatorSettings settings = Bench.settings("operator", List.of(quarters()));
        Relayout.Report changed =
                Relayout.run(new OperatorAccess(operator.client, bench.clock(), settings), quarters(), true);
        assertEquals(now.plus(Bench.AHEAD), changed.floor());
        bench.leaderOff(Duration.ZERO);
        leaderFallsBackBefore(operator, "multi /ids/meta", 2);
        FenceRestore.Report restored = FenceRestore.run(
                new OperatorAccess(operator.client, bench.clock(), settings), FenceRestore.Options.none());
        assertEquals(now.plusSeconds(82), restored.floor());
    }

    private void leaderFallsBackBefore(Replicated replica, String call, int times) {
        int[] left = {times};
        replica.client.faults(name -> {
            if (name.contains(call) && --left[0] == 0) {
                bench.leaderOff(Duration.ofHours(-1));
            }
            return Fault.NONE;
        });
    }

    @Test
    void shouldChangeNothingByCommandWhenLeadersClockIsWrong() {
        Replicated holder = bench.replica("holder", halves()).step();
        NavigableMap<String, Znode> before = bench.zookeeper.tree();
        for (Duration off : List.of(Duration.ofHours(-1), Duration.ofDays(3_000))) {
            bench.leaderOff(off);
            assertThrows(FencedException.class, () -> relayout(quarters(), true));
            assertThrows(FencedException.class, this::fenceRestore);
            assertEquals(before.keySet(), bench.zookeeper.tree().keySet());
        }
        bench.leaderOff(Duration.ZERO);
        assertTrue(holder.step().serves());
    }

    /** What the old slots had reserved is in records that the new ones do not look at. */
    @Test
    void shouldRefuseRelayoutWhenSlotsAreReservedFarAhead() {
        Replicated holder = anHourAhead(halves());
        Instant reserved = holder.tenure().reservedThrough();
        cutOff(holder);
        bench.advance(Duration.ofSeconds(20));
        bench.zookeeper.sessions().forEach(bench.zookeeper::expire);
        NavigableMap<String, Znode> before = bench.zookeeper.tree();
        RefusedException e = assertThrows(RefusedException.class, () -> relayout(sno, false));
        assertTrue(String.valueOf(e.getMessage()).contains("issued up to " + reserved), e.getMessage());
        assertEquals(before.keySet(), bench.zookeeper.tree().keySet(), "the generation did not end");
        bench.advance(Duration.ofMinutes(59));
        assertEquals(reserved, relayout(sno, false).floor());
    }

    /** Nobody can keep a layout whose generation is gone. */
    @Test
    void shouldBeginAboveRecordsWhenGenerationIsGone() {
        Replicated holder = anHourAhead(halves());
        Instant reserved = holder.tenure().reservedThrough();
        cutOff(holder);
        bench.zookeeper.sessions().forEach(bench.zookeeper::expire);
        bench.zookeeper.children("/ids/sno/layout").forEach(name -> bench.zookeeper.delete("/ids/sno/layout/" + name));
        assertEquals(reserved, relayout(sno, false).floor());
    }

    @Test
    void shouldBeginAboveRecordsWhenLayoutIsLost() {
        Replicated holder = anHourAhead(halves());
        Instant reserved = holder.tenure().reservedThrough();
        cutOff(holder);
        bench.zookeeper.sessions().forEach(bench.zookeeper::expire);
        bench.zookeeper.delete("/ids/sno/layout");
        bench.replica("fresh", sno).step();
        assertEquals(
                reserved,
                Layouts.read(Bench.nodes(bench.zookeeper.connect()), pool)
                        .orElseThrow()
                        .floor());
    }

    /** Drawn from while its clock, and ZooKeeper's, were an hour ahead; both are right again. */
    private Replicated anHourAhead(Scheme<?> scheme) {
        Replicated replica = bench.replica("ahead", scheme);
        bench.leaderOff(Duration.ofHours(1));
        off(replica, Duration.ofHours(1));
        replica.stepFor(Duration.ofSeconds(1));
        drawFrom(replica);
        bench.leaderOff(Duration.ZERO);
        off(replica, Duration.ZERO);
        return replica;
    }

    /** One knows of what another had reserved by the floor that it waited for. */
    @Test
    void shouldRememberFarFloorWhenRootIsWipedAgain() {
        Replicated ahead = anHourAhead(sno);
        Instant reserved = ahead.tenure().reservedThrough();
        wipe();
        ahead.stepFor(Duration.ofSeconds(1));
        Replicated waiting = bench.replica("waiting", sno).step();
        wipe();
        waiting.stepFor(Duration.ofSeconds(30));
        assertEquals(reserved, bench.meta().floor());
        wipe();
        bench.replica("fresh", sno).step();
        waiting.stepFor(Duration.ofSeconds(1));
        assertEquals(FenceReason.ROLLED_BACK, waiting.reason(), waiting.why());
        assertEquals(reserved, fenceRestore().floor(), "it left what it knows in the root");
    }

    /** The pool's floor is still there. */
    @Test
    void shouldAcceptFenceRestoreWhenOnePoolIsFarAhead() {
        Scheme<?> eightbyte = new EightByteScheme(0);
        Replicated ahead = anHourAhead(sno);
        cutOff(ahead);
        bench.zookeeper.sessions().forEach(bench.zookeeper::expire);
        bench.zookeeper.delete("/ids/sno/layout");
        Replicated waiting = bench.replica("waiting", sno, eightbyte).stepFor(Duration.ofSeconds(30));
        assertTrue(waiting.serves(1));
        fenceRestore();
        waiting.stepFor(Duration.ofSeconds(90));
        assertTrue(waiting.serves(1), waiting.why());
        assertEquals(FenceReason.COOLING, waiting.reason());
    }

    @Test
    void shouldRememberFarFloorOfPoolWhenRootIsWiped() {
        Replicated ahead = anHourAhead(sno);
        Instant reserved = ahead.tenure().reservedThrough();
        cutOff(ahead);
        bench.zookeeper.sessions().forEach(bench.zookeeper::expire);
        bench.zookeeper.delete("/ids/sno/layout");
        Replicated waiting = bench.replica("waiting", sno).stepFor(Duration.ofSeconds(1));
        assertEquals(FenceReason.COOLING, waiting.reason(), waiting.why());
        wipe();
        waiting.stepFor(Duration.ofSeconds(5));
        assertEquals(reserved, bench.meta().floor());
    }

    /** Nothing is below the root any more, but the floor that it keeps. */
    @Test
    void shouldBeginAboveFloorThatRootKeeps() {
        Replicated ahead = anHourAhead(sno);
        wipe();
        ahead.stepFor(Duration.ofSeconds(1));
        Root.Seen meta = Root.read(Bench.nodes(ahead.client)).orElseThrow();
        ahead.client.multi(meta.removal(Bench.TREE, Instant.EPOCH));
        bench.zookeeper.children(Bench.ROOT).forEach(name -> bench.zookeeper.delete(Bench.ROOT + "/" + name));
        bench.replica("fresh", sno).step();
        assertEquals(meta.floor(), bench.meta().floor());
    }

    /** Meta is taken away as proof of a loss, and its floor is not forgotten with it. */
    @Test
    void shouldKeepFloorWhenMetaIsTakenAway() {
        Replicated ahead = anHourAhead(sno);
        wipe();
        ahead.stepFor(Duration.ofSeconds(1));
        Root.Seen meta = Root.read(Bench.nodes(ahead.client)).orElseThrow();
        ahead.client.multi(meta.removal(Bench.TREE, Instant.EPOCH));
        assertEquals(meta.floor(), fenceRestore().floor());
        assertEquals(meta.floor(), fenceRestore().floor());
    }

    // --- operators' commands

    @Test
    void shouldLeaveSuccessorAloneWhenHolderLeavesAmidForcedRelease() {
        Replicated holder = bench.replica("a", sno).step();
        String nonce = holder.tenure().nonce();
        Replicated operator = bench.replica("operator", sno);
        Replicated next = bench.replica("next", sno);
        operator.amid("multi", Fault.NONE, () -> {
            holder.loop.close();
            next.step();
        });
        ClusterView view = ClusterView.on(
                new OperatorAccess(operator.client, operator.clock, Bench.settings("operator", List.of(sno))));
        assertEquals(Outcome.HELD_BY_ANOTHER, view.takeAway(sno, 0, nonce));
        assertTrue(next.step().serves());
    }

    @Test
    void shouldSayGoneAlreadyWhenHolderLeavesAmidForcedRelease() {
        Replicated holder = bench.replica("a", sno).step();
        Replicated operator = bench.replica("operator", sno);
        operator.amid("multi", Fault.NONE, holder.loop::close);
        ClusterView view = ClusterView.on(
                new OperatorAccess(operator.client, operator.clock, Bench.settings("operator", List.of(sno))));
        assertEquals(Outcome.GONE_ALREADY, view.takeAway(sno, 0, holder.tenure().nonce()));
    }

    @Test
    void shouldTakeAwayWhenHolderRenewsMeanwhile() {
        Replicated holder = bench.replica("a", sno).step();
        Replicated operator = bench.replica("operator", sno);
        operator.amid("multi", Fault.NONE, () -> holder.letPass(Duration.ofSeconds(3)));
        ClusterView view = ClusterView.on(
                new OperatorAccess(operator.client, operator.clock, Bench.settings("operator", List.of(sno))));
        assertEquals(Outcome.DONE, view.takeAway(sno, 0, holder.tenure().nonce()));
    }

    @Test
    void shouldRetireInPoolThatNobodyUsedYet() {
        Replicated replica = bench.withoutPromise().replica("a", halves());
        Instant beginning = bench.now();
        Retired retired = view(halves(), replica).retire(halves(), 1);
        assertEquals(new Retired(null, beginning.plusSeconds(82)), retired, "of a root that may have been wiped");
        replica.stepFor(Duration.ofSeconds(90));
        assertEquals(0, replica.tenure().slot().number());
        assertTrue(replica.serves());
    }

    /** What it says would be counted from that clock. */
    @Test
    void shouldRetireNothingWhenOperatorsClockIsWrong() {
        Replicated operator = bench.replica("operator", halves());
        bench.replica("a", halves()).step();
        off(operator, Duration.ofDays(1));
        FencedException e = assertThrows(
                FencedException.class,
                () -> ClusterView.on(new OperatorAccess(
                                operator.client, operator.clock, Bench.settings("operator", List.of(halves()))))
                        .retire(halves(), 1));
        assertEquals(FenceReason.CLOCK_SKEW, e.reason());
        assertEquals(List.of(), new Pools(Bench.nodes(operator.client)).retired());
    }

    @Test
    void shouldSayUntilWhenHolderCouldIssueWhenAnotherGenerationHasBegun() {
        Replicated holder = bench.replica("holder", halves()).step();
        cutOff(holder);
        Instant floor = relayout(quarters(), true).floor();
        assertEquals(floor, view(quarters(), holder).retire(quarters(), 3).issuingUntil());
        bench.advance(Duration.ofSeconds(20));
        assertEquals(null, view(quarters(), holder).retire(quarters(), 2).issuingUntil());
    }

    /** The number would mean other IDs. */
    @Test
    void shouldNotRetireWhenLayoutChangesMeanwhile() {
        Replicated operator = bench.replica("operator", halves());
        bench.replica("a", halves()).step();
        operator.amid("sync /ids/sno/records/1", Fault.NONE, () -> relayout(quarters(), true));
        FencedException e = assertThrows(
                FencedException.class,
                () -> ClusterView.on(new OperatorAccess(
                                operator.client, bench.clock(), Bench.settings("operator", List.of(halves()))))
                        .retire(halves(), 1));
        assertEquals(FenceReason.LAYOUT_MISMATCH, e.reason());
        assertEquals(List.of(), new Pools(Bench.nodes(operator.client)).retired());
    }

    /** Retired between the end of the old generation and the beginning of the next, or right before: it is seen. */
    @Test
    void shouldKeepSlotRetiredWhenThatHappensAmidRelayout() {
        Replicated operator = bench.replica("operator", halves());
        bench.replica("a", halves()).step();
        operator.amid("multi /ids/sno/layout", Fault.NONE, () -> {
            var unused = view(halves(), operator).retire(halves(), 1);
        });
        Relayout.Report report = Relayout.run(
                new OperatorAccess(operator.client, bench.clock(), Bench.settings("operator", List.of(quarters()))),
                quarters(),
                true);
        assertEquals(List.of("1"), report.retired());
    }

    @Test
    void shouldSayUntilWhenHolderCouldIssueWhenItsSlotIsRetired() {
        Replicated holder = bench.replica("a", sno).step();
        Instant through = holder.tenure().reservedThrough();
        assertEquals(through, view(sno, holder).retire(sno, 0).issuingUntil());
    }

    /** The transaction was made, its answer was lost, and the client repeated it. */
    @Test
    void shouldSayUntilWhenHolderCouldIssueWhenRetirementComesBackAsConflict() {
        Replicated holder = bench.replica("a", sno).step();
        Instant through = holder.tenure().reservedThrough();
        Replicated operator = bench.replica("operator", sno);
        operator.client.next("multi /ids/sno/leases", Fault.REPEATED);
        ClusterView view = ClusterView.on(
                new OperatorAccess(operator.client, operator.clock, Bench.settings("operator", List.of(sno))));
        Retired retired = view.retire(sno, 0);
        assertEquals(through, retired.issuingUntil());
        assertEquals("a", java.util.Objects.requireNonNull(retired.holder()).instance());
        assertEquals(through, view.retire(sno, 0).issuingUntil(), "who asks again hears it again");
    }

    @Test
    void shouldAssumeTheWorstWhenRecordOfRetiredSlotCannotBeRead() {
        Replicated holder = bench.replica("a", sno).step();
        bench.zookeeper.set("/ids/sno/records/0", "no JSON");
        Instant until = view(sno, holder).retire(sno, 0).issuingUntil();
        assertEquals(bench.now().plusSeconds(82 + 10), until);
    }

    /** An operator's file is not the replicas': what it begins counts on the longest window. */
    @Test
    void shouldCountOnTheLongestWindowWhenRetiringBeginsAnIncarnation() {
        Replicated replica = bench.withoutPromise().replica("a", sno);
        view(sno, replica).retire(sno, 0);
        assertEquals(
                bench.now().plusSeconds(82),
                Root.read(Bench.nodes(replica.client)).orElseThrow().floor());
    }

    @Test
    void shouldMakeFewRecordsWhenRecordsWereDeleted() {
        MuidScheme muid = new MuidScheme();
        Replicated crashed = bench.replica("a", muid).step();
        bench.zookeeper.create("/ids/muid/records/1000000000005", "{}", 0);
        bench.zookeeper.delete("/ids/muid/records/1000000000005");
        bench.zookeeper.expire(crashed.client.session());
        Replicated next = bench.replica("b", muid);
        next.stepFor(Duration.ofSeconds(30));
        assertTrue(next.serves());
        assertTrue(
                bench.zookeeper.children("/ids/muid/records").size() <= 2,
                "" + bench.zookeeper.children("/ids/muid/records"));
    }

    @Test
    void shouldSayInDoctorWhatKeepsReplicasFromServing() {
        Replicated replica = bench.replica("a", sno).step();
        for (String lost : List.of("/ids/sno/layout/", "/ids/sno/records", "/ids/sno/layout")) {
            bench.zookeeper.tree().keySet().stream()
                    .filter(path -> lost.endsWith("/") ? path.startsWith(lost) : path.equals(lost))
                    .toList()
                    .forEach(bench.zookeeper::delete);
            if (lost.endsWith("layout")) {
                bench.zookeeper.ensure("/ids/sno/records");
            }
            List<Doctor.Finding> findings = Doctor.examine(new OperatorAccess(
                    bench.zookeeper.connect(), replica.clock, Bench.settings("operator", List.of(sno))));
            assertTrue(
                    findings.stream()
                            .anyMatch(finding -> !finding.ok() && finding.what().equals("sno")),
                    lost + ": " + findings);
        }
    }

    @Test
    void shouldListRetiredSlotsWhenFenceIsRestored() {
        Replicated holder = bench.replica("a", sno).step();
        view(sno, holder).retire(sno, 0);
        assertEquals(List.of("/ids/sno/records/0"), fenceRestore().retired());
        holder.stepFor(Duration.ofSeconds(90));
        assertEquals(FenceReason.NO_FREE_SLOT, holder.reason(), "it stays retired");
    }

    @Test
    void shouldListWhatItCannotReadAsOneLine() {
        Replicated holder = bench.replica("a", quarters()).step();
        bench.zookeeper.delete("/ids/sno/leases/3");
        bench.zookeeper.create("/ids/sno/leases/3", "no JSON", 0);
        bench.zookeeper.create("/ids/sno/records/x", "", 0);
        List<LeaseView> fewer = view(halves(), holder).leases(halves());
        assertTrue(fewer.stream().anyMatch(line -> line.slot().equals("3") && line.unreadable() != null), "" + fewer);
        List<LeaseView> lines = view(quarters(), holder).leases(quarters());
        assertEquals(
                List.of("3", "x"),
                lines.stream()
                        .filter(line -> line.state() == LeaseView.State.UNREADABLE)
                        .map(LeaseView::slot)
                        .toList());
        assertEquals(holder.tenure().slot().number() == 3 ? 2 : 3, lines.size(), "the others are there");
    }
}
