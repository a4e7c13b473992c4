package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.Draw;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.zk.era.Generation;
import org.idallocator.zk.era.Generations;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.Incarnations;
import org.idallocator.zk.era.Pools;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.Holder;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.operator.RefusedException;
import org.idallocator.zk.operator.Relayout;
import org.idallocator.zk.operator.Retired;
import org.idallocator.zk.operator.Revocation;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.store.SimulatedZooKeeper.Znode;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.testing.Told;
import org.idallocator.zk.znode.Slot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What ZooKeeper's history cannot tell, because the history is another one: wiped and restored ZooKeepers, changed
 * layouts, clocks that were far ahead, and what operators do about them. Mostly a holder is cut off meanwhile and
 * serves on, and its clock goes wherever its ceiling lets it. None of its IDs may come again.
 */
final class DisastersTest {
    private static final Duration NEARLY_THE_SKEW = Duration.ofMillis(1_900);
    private static final Duration STEP = Duration.ofMillis(100);

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(1);
    private final SlotPool pool = sno.pool().orElseThrow();
    private final Set<List<Long>> ids = new HashSet<>();

    /** Draws from all of these replicas. No ID may have been drawn before. */
    private void drawFrom(Replicated... replicas) {
        for (Replicated replica : replicas) {
            try {
                var unused = Draw.of(
                        replica.slots(0).current(),
                        3,
                        Variant.NONE,
                        (high, low) -> assertTrue(ids.add(List.of(high, low)), "the same ID twice"));
            } catch (FencedException e) {
                // nothing was issued
            }
        }
    }

    /** Lets time pass while the first replica steps and all of them are drawn from. */
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

    /** Takes everything that ZooKeeper had, its sessions included. */
    private void wipe() {
        bench.zookeeper.sessions().forEach(bench.zookeeper::expire);
        bench.zookeeper.restore(new TreeMap<>(java.util.Map.of("", Znode.parent())));
    }

    private Generation layout() {
        return Generations.read(Bench.nodes(bench.zookeeper.connect()), pool).orElseThrow();
    }

    private Incarnation meta() {
        return Incarnations.read(Bench.nodes(bench.zookeeper.connect())).orElseThrow();
    }

    private FenceRestore.Report fenceRestore() {
        return OnStore.fenceRestore(bench.access(sno), FenceRestore.Options.none());
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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRefuseWhenNewIncarnationsFloorIsBelowWhatWasReserved(boolean answerLost) {
        Duration minute = Duration.ofSeconds(60);
        Replicated holder = bench.replica(Bench.settings("holder", sno, minute)).step();
        Instant reserved = holder.tenure().reservedThrough();
        cutOff(holder);
        wipe();
        Replicated shorter = bench.replica("shorter", sno).step();
        holder.client.connected(true);
        try (Told told = Told.inTheRoomOf(MetaWatch.class)) {
            if (answerLost) {
                holder.client.next("multi /ids/meta", Fault.ANSWER_LOST);
            }
            holder.stepFor(Duration.ofSeconds(1));
            assertEquals(FenceReason.ROLLED_BACK, holder.reason());
            wipe();
            bench.replica("shorter-too", sno).step();
            holder.stepFor(Duration.ofSeconds(1));
            List<ILoggingEvent> warnings = told.warnings("; fence-restore --floor " + reserved).stream()
                    .filter(event -> event.getFormattedMessage().startsWith("leases are not kept: rolled-back: "))
                    .toList();
            assertEquals(1, warnings.size(), "not one for each step, nor for each incarnation");
        }
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

    /**
     * Others reserve up to the floor that a change to a shorter window has left. Who has come since the loss knows
     * nothing of that.
     */
    @Test
    void shouldRefuseAPoolThatBeginsBelowTheFloorThatItHadBeforeTheLoss() {
        Instant[] reserved = new Instant[1];
        Replicated remembers = remembersAFloorThatIsLost(reserved);
        remembers.stepFor(Duration.ofSeconds(1));
        assertEquals(FenceReason.ROLLED_BACK, remembers.reason());
        assertTrue(bench.zookeeper.node(Bench.TREE.meta()).isEmpty(), "so that nobody serves below");
        Instant named = Instant.parse(remembers.why().replaceFirst("(?s).*--floor (\\S+Z).*", "$1"));
        assertFalse(named.isBefore(reserved[0]), remembers.why());
    }

    /** The layout is the proof: where somebody raises its floor meanwhile, nothing is wrong any more. */
    @Test
    void shouldLeaveMetaWhereThePoolsFloorIsRaisedMeanwhile() {
        Instant[] reserved = new Instant[1];
        Replicated remembers = remembersAFloorThatIsLost(reserved);
        String layout = Bench.TREE.layout(pool);
        String raised = bench.data(layout)
                .replaceFirst("\"floor\":\"[^\"]*\"", "\"floor\":\"" + reserved[0].plusSeconds(60) + "\"");
        remembers.amid("multi /ids/meta", Fault.NONE, () -> bench.zookeeper.set(layout, raised));
        remembers.stepFor(Duration.ofSeconds(1));
        assertEquals(raised, bench.data(layout), "the removal was sent");
        assertTrue(bench.zookeeper.node(Bench.TREE.meta()).isPresent());
        assertEquals(FenceReason.COOLING, remembers.reason());
    }

    /** A replica that has come back; {@code reserved} is what a holder that is cut off has reserved. */
    private Replicated remembersAFloorThatIsLost(Instant[] reserved) {
        Replicated holder = bench.replica(Bench.settings("holder", sno, Duration.ofHours(1)))
                .step();
        reserved[0] = holder.tenure().reservedThrough();
        cutOff(holder);
        OnStore.relayout(bench.access(sno), sno, true);
        Replicated remembers = bench.replica("remembers", sno).step();
        assertEquals(FenceReason.COOLING, remembers.reason());
        cutOff(remembers);
        wipe();
        bench.replica("fresh", sno).step();
        remembers.client.connected(true);
        return remembers;
    }

    /** What somebody wrote there by mistake, and put right, says nothing of what is reserved. */
    @Test
    void shouldForgetAFloorThatWasPutRight() {
        Replicated holder = bench.replica("holder", sno).step();
        String layout = Bench.TREE.layout(pool);
        String right = bench.data(layout);
        bench.zookeeper.set(layout, right.replaceFirst("\"floor\":\"[^\"]*\"", "\"floor\":\"3000-01-01T00:00:00Z\""));
        bench.zookeeper.delete(Bench.TREE.lease(holder.tenure().slot()));
        holder.stepFor(Duration.ofSeconds(1));
        assertEquals(FenceReason.COOLING, holder.reason());
        bench.zookeeper.set(layout, right);
        holder.stepFor(Duration.ofSeconds(40));
        assertTrue(holder.serves());
        fenceRestore();
        holder.stepFor(Duration.ofSeconds(90));
        assertTrue(holder.serves(), () -> holder.why());
    }

    /** A is about to begin in the empty root. Meanwhile B begins and serves, finds a loss, and removes meta. */
    @Test
    void shouldNotBeginWhenMetaCameAndWentMeanwhile() {
        Replicated paused = bench.withoutPromise().replica("a", sno);
        paused.amid("multi /ids/meta", Fault.NONE, () -> {
            Replicated other = bench.replica("b", sno).step();
            assertTrue(other.client
                    .send(Transaction.of(meta().removal(Bench.TREE, Instant.EPOCH)))
                    .wasApplied());
            bench.zookeeper.ensure("/ids/sno"); // which B has made as well
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
        paused.step();
        assertTrue(meta().floor().isAfter(reserved[0]));
    }

    /**
     * Somebody found the pool unused and was paused. Meanwhile the pool was used by longer terms, and its layout was
     * deleted.
     */
    @Test
    void shouldBeginPoolOfOwnTermsOnlyTogetherWithItsRecords() {
        Replicated paused = bench.withoutPromise().replica("a", sno);
        Instant[] reserved = new Instant[1];
        paused.amid("multi /ids/sno/layout", Fault.NONE, () -> {
            Replicated other = bench.replica(Bench.settings("b", sno, Duration.ofSeconds(60)))
                    .stepFor(Duration.ofSeconds(90));
            reserved[0] = other.tenure().reservedThrough();
            cutOff(other);
            bench.zookeeper.delete("/ids/sno/layout");
        });
        paused.step().stepFor(Duration.ofSeconds(1));
        Generation layout = layout();
        assertTrue(layout.floor().isAfter(reserved[0]), layout + ", reserved through " + reserved[0]);
    }

    /** Late requests of the old incarnation could make parents, and the root would not be empty any more. */
    @Test
    void shouldStayEmptyWhenLateRequestsArriveAfterAWipe() {
        Replicated late = bench.replica("late", sno);
        late.amid("read /ids/sno/leases", Fault.NONE, this::wipe);
        late.step();
        assertTrue(
                bench.zookeeper.children("").isEmpty(),
                "" + bench.zookeeper.tree().keySet());
        late.stepFor(Bench.AHEAD.plusSeconds(1));
        assertTrue(late.serves());
    }

    /**
     * As in the midst of a {@code deleteall}: a slot's record is gone before anything else, and the slot's holder is
     * cut off.
     */
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
        ClusterView view = view(sno);
        assertEquals(List.of(), view.leases());
        assertEquals(List.of(), view.members());
        assertEquals(LeaseView.State.FREE, view.lease(sno, 0).state());
        assertEquals(Holder.nobody(), view.holder(sno, 0));
        assertEquals(Revocation.NOT_ITS_OWN, view.revoke(sno, 0, "nobody"));
        assertEquals(Set.of(""), bench.zookeeper.tree().keySet());
    }

    // --- changed layouts

    /**
     * The same IDs, cut otherwise: slot 1 of two has the upper half of the sequences, slot 1 of four a quarter of the
     * lower.
     */
    private static Scheme<?> halves() {
        return new SnoScheme(7, 1, 2);
    }

    private static Scheme<?> quarters() {
        return new SnoScheme(7, 1, 4);
    }

    private Relayout.Report relayout(Scheme<?> to, boolean fence) {
        return OnStore.relayout(bench.access(to), to, fence);
    }

    @Test
    void shouldIssueNothingTwiceWhenLayoutChanges() {
        Replicated low = bench.replica("low", halves());
        off(low, NEARLY_THE_SKEW);
        low.step();
        Replicated high = bench.replica("high", halves()).step();
        Tenure tenure = high.tenure();
        drawFrom(low, high);
        cutOff(low);
        Relayout.Report report = relayout(quarters(), true);
        assertEquals(bench.now().plus(Bench.AHEAD), report.floor());
        assertEquals(2, report.fenced().size(), report.toString());
        high.step().step();
        assertEquals(FenceReason.LAYOUT_CHANGED, Bench.whyTripped(tenure));
        assertEquals(FenceReason.LAYOUT_MISMATCH, high.reason());
        assertEquals(1, bench.leases(pool).size(), "its lease is released");
        Replicated[] next = new Replicated[3];
        for (int i = 0; i < next.length; i++) {
            next[i] = bench.replica("next-" + i, quarters());
            off(next[i], NEARLY_THE_SKEW);
        }
        live(Duration.ofSeconds(7), next[0], low);
        off(low, Duration.ofMillis(4_900));
        drawFrom(low);
        off(low, Duration.ZERO);
        bench.zookeeper.expire(low.client.believedSession());
        for (int i = 0; i < 150; i++) {
            for (Replicated each : next) {
                drawFrom(each.step(), low, high);
            }
            bench.advance(STEP);
        }
        assertTrue(next[0].serves() && next[1].serves() && next[2].serves());
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
    void shouldSayThatNothingWasDoneWhenSomebodyElseWasFaster() {
        Replicated one = bench.replica("one", halves());
        one.amid("multi /ids/meta", Fault.NONE, this::fenceRestore);
        assertThrows(
                ChangedMeanwhileException.class,
                () -> OnStore.fenceRestore(one.access(sno), FenceRestore.Options.none()));
        Replicated other = bench.replica("other", halves()).step();
        other.amid("multi /ids/sno/layout", Fault.NONE, this::fenceRestore);
        assertThrows(
                ChangedMeanwhileException.class, () -> OnStore.relayout(other.access(quarters()), quarters(), true));
    }

    /** Names have as many digits as the pool needs: 07 of sixteen slots is 7 of eight. */
    @Test
    void shouldKeepSlotsRetiredByTheirNumbersWhenNamesGetShorter() {
        Scheme<?> sixteen = new SnoScheme(0, 16, 1);
        Scheme<?> eight = new SnoScheme(0, 8, 1);
        Replicated replica = bench.replica("a", sixteen).step();
        replica.loop.close();
        view(sixteen).retire(sixteen, 7);
        view(sixteen).retire(sixteen, 12);
        Relayout.Report shorter = relayout(eight, false);
        assertEquals(List.of("7"), shorter.retired());
        assertEquals(List.of("12"), shorter.dropped());
        assertEquals(LeaseView.State.RETIRED, view(eight).lease(eight, 7).state());
        Relayout.Report longer = relayout(sixteen, false);
        assertEquals(Set.of("07", "12"), Set.copyOf(longer.retired()));
    }

    private ClusterView view(Scheme<?> scheme) {
        return ClusterView.on(bench.access(scheme));
    }

    /** An operator deletes the layout by hand, and a replica that is configured otherwise makes it anew. */
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

    /** While a claim is on its way, the layout is deleted and made again with the same version. */
    @Test
    void shouldNotClaimWhenLayoutCameAgainWithTheSameVersion() {
        bench.replica("before", halves()).step().loop.close();
        Replicated late = bench.replica("late", halves());
        late.amid("multi /ids/sno/records", Fault.NONE, () -> {
            bench.zookeeper.delete("/ids/sno/layout");
            bench.replica("b", quarters()).step();
        });
        late.step();
        assertFalse(late.serves());
        assertEquals(List.of(), bench.leases(pool));
    }

    @Test
    void shouldRefuseLayoutWhenItWasEditedByHand() {
        bench.replica("a", halves()).step();
        String layout = bench.data("/ids/sno/layout");
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
        Replicated other = bench.replica(Bench.settings("b", halves(), Duration.ofSeconds(20)))
                .step();
        assertEquals(FenceReason.LAYOUT_MISMATCH, other.reason());
        assertTrue(
                other.why()
                        .endsWith(
                                "(/ids/sno/layout: window is 10000 ms, configured is 20000 ms; sessionTimeout is 10000 ms,"
                                        + " configured is 60000 ms)"),
                other.why());
    }

    // --- clocks that were far ahead, and ZooKeeper's with them

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldExchangeSlotWhenClockIsPutRightAfterAnHourAhead(boolean drawn) {
        Replicated replica = anHourAhead(drawn ? new MuidScheme() : new EightByteScheme(0));
        Tenure ahead = replica.tenure();
        assertFalse(replica.status().active(), "draws would fail");
        replica.stepFor(Duration.ofSeconds(3));
        assertTrue(ahead.slot().number() != replica.tenure().slot().number());
        assertEquals(1, replica.draw(1));
    }

    /** Nobody waits for time that another holder reserved: the clock was past that before. */
    @Test
    void shouldSayThatTheClockIsBehindWhenItWasPutBackBelowTheFloor() {
        Replicated before = bench.replica("before", Bench.sno(1)).step();
        bench.zookeeper.expire(before.client.session().id());
        Replicated replica = bench.replica("a", Bench.sno(1)).step();
        assertEquals(FenceReason.COOLING, said(replica));
        replica.stepFor(Duration.ofSeconds(11));
        assertEquals(1, replica.draw(1));
        Tenure tenure = replica.tenure();

        replica.clock.off(-Duration.ofSeconds(3).toNanos() / 1_000);
        assertEquals(FenceReason.CLOCK_BEHIND, said(replica));

        Duration beyondTheWindow = Duration.ofSeconds(-12);
        replica.clock.off(beyondTheWindow.toNanos() / 1_000);
        bench.leaderOff(beyondTheWindow);
        replica.step();
        assertEquals(FenceReason.CLOCK_BEHIND, Bench.whyTripped(tenure));
    }

    private static FenceReason said(Replicated replica) {
        return replica.status().fenced().orElseThrow().reason();
    }

    @Test
    void shouldNotSayActiveWhenClockIsPastTheCeiling() {
        Replicated replica =
                bench.replica(Bench.settings("a", sno, Duration.ofSeconds(2))).step();
        cutOff(replica);
        replica.clock.off(Duration.ofSeconds(3).toNanos() / 1_000);
        SchemeStatus status = replica.status();
        assertEquals(FenceReason.CEILING_PASSED, status.fenced().orElseThrow().reason());
        assertEquals(FenceReason.CEILING_PASSED, replica.reason(), "as draws say");
    }

    /**
     * A leader's clock is an hour off, as a machine's may be before it hears of the time; the replicas' clocks are
     * right.
     */
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

    /** In the new layout the number would mean other IDs. */
    @Test
    void shouldNotRetireWhenLayoutChangesMeanwhile() {
        Replicated operator = bench.replica("operator", halves());
        bench.replica("a", halves()).step();
        operator.amid("sync /ids/sno/records/1", Fault.NONE, () -> relayout(quarters(), true));
        FencedException e = assertThrows(
                FencedException.class,
                () -> ClusterView.on(operator.access(halves())).retire(halves(), 1));
        assertEquals(FenceReason.LAYOUT_MISMATCH, e.reason());
        assertEquals(List.of(), new Pools(Bench.nodes(operator.client)).retired(List.of()));
    }

    /** The leader that writes is not the one that told the time. */
    @Test
    void shouldBeginAboveWhenLeadersClockFallsBackInBetween() {
        Instant reserved = cutOff(bench.replica("holder", sno).step()).tenure().reservedThrough();
        wipe();
        Replicated fresh = bench.replica("fresh", sno);
        fresh.amid("multi /ids/meta", Fault.NONE, () -> bench.leaderOff(Duration.ofHours(-1)));
        fresh.step();
        bench.leaderOff(Duration.ZERO);
        assertTrue(meta().floor().isAfter(reserved), "" + meta());
        bench.zookeeper.delete("/ids/sno");
        fresh.amid("multi /ids/sno/layout", Fault.NONE, () -> bench.leaderOff(Duration.ofHours(-1)));
        fresh.stepFor(Duration.ofSeconds(1));
        assertTrue(layout().floor().isAfter(reserved), "" + layout());
    }

    @Test
    void shouldBeginAboveByCommandWhenLeadersClockFallsBackInBetween() {
        Instant now = bench.now();
        Replicated operator = bench.replica("operator", halves());
        bench.replica("a", halves()).step();
        leaderFallsBackBefore(operator, "multi /ids/sno/layout", 2);
        Relayout.Report changed = OnStore.relayout(operator.access(quarters()), quarters(), true);
        assertEquals(now.plus(Bench.AHEAD), changed.floor());
        bench.leaderOff(Duration.ZERO);
        leaderFallsBackBefore(operator, "multi /ids/meta", 2);
        FenceRestore.Report restored = OnStore.fenceRestore(operator.access(quarters()), FenceRestore.Options.none());
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

    /** Drawn from while its clock, and ZooKeeper's, were an hour ahead; both are right again. */
    private Replicated anHourAhead(Scheme<?> scheme) {
        Replicated replica = bench.replica("ahead", scheme);
        bench.leaderOff(Duration.ofHours(1));
        off(replica, Duration.ofHours(1));
        replica.stepFor(Duration.ofSeconds(5));
        drawFrom(replica);
        bench.leaderOff(Duration.ZERO);
        off(replica, Duration.ZERO);
        return replica;
    }

    /** Crashes a replica that was {@link #anHourAhead}, and returns the end of what it had reserved. */
    private Instant crashAnHourAhead(Scheme<?> scheme) {
        Replicated replica = cutOff(anHourAhead(scheme));
        bench.zookeeper.sessions().forEach(bench.zookeeper::expire);
        return replica.tenure().reservedThrough();
    }

    /** The same, and then deletes the layout of sno's pool. */
    private Instant crashAnHourAheadAndDeleteLayout(Scheme<?> scheme) {
        Instant reserved = crashAnHourAhead(scheme);
        bench.zookeeper.delete("/ids/sno/layout");
        return reserved;
    }

    /** What the old slots had reserved is in records that the new slots do not look at. */
    @Test
    void shouldRefuseRelayoutWhenSlotsAreReservedFarAhead() {
        Instant reserved = crashAnHourAhead(halves());
        bench.advance(Duration.ofSeconds(20));
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
        Instant reserved = crashAnHourAhead(halves());
        bench.zookeeper.children("/ids/sno/layout").forEach(name -> bench.zookeeper.delete("/ids/sno/layout/" + name));
        assertEquals(reserved, relayout(sno, false).floor());
    }

    @Test
    void shouldBeginAboveRecordsWhenLayoutIsLost() {
        Instant reserved = crashAnHourAheadAndDeleteLayout(halves());
        bench.replica("fresh", sno).step();
        assertEquals(reserved, layout().floor());
    }

    /** A replica knows what another had reserved by the floor for which it waited. */
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

    /** What the pool reserved far ahead is still told by the pool's own floor, and delays no other pool. */
    @Test
    void shouldAcceptFenceRestoreWhenOnePoolIsFarAhead() {
        Scheme<?> eightbyte = new EightByteScheme(0);
        crashAnHourAheadAndDeleteLayout(sno);
        Replicated waiting = bench.replica("waiting", sno, eightbyte).stepFor(Duration.ofSeconds(30));
        assertTrue(waiting.serves(1));
        fenceRestore();
        waiting.stepFor(Duration.ofSeconds(90));
        assertTrue(waiting.serves(1), waiting.why());
        assertEquals(FenceReason.COOLING, waiting.reason());
    }

    @Test
    void shouldRememberFarFloorOfPoolWhenRootIsWiped() {
        Instant reserved = crashAnHourAheadAndDeleteLayout(sno);
        Replicated waiting = bench.replica("waiting", sno).stepFor(Duration.ofSeconds(1));
        assertEquals(FenceReason.COOLING, waiting.reason(), waiting.why());
        wipe();
        waiting.stepFor(Duration.ofSeconds(5));
        assertEquals(reserved, bench.meta().floor());
    }

    /** Meta is removed because a loss was proven, while its floor is far ahead. */
    private Instant floorOfMetaThatIsTakenAway() {
        Replicated ahead = anHourAhead(sno);
        wipe();
        ahead.stepFor(Duration.ofSeconds(1));
        Incarnation meta = meta();
        assertTrue(ahead.client
                .send(Transaction.of(meta.removal(Bench.TREE, Instant.EPOCH)))
                .wasApplied());
        return meta.floor();
    }

    /** All nodes below the root are gone; the root itself still keeps a floor. */
    @Test
    void shouldBeginAboveFloorThatRootKeeps() {
        Instant floor = floorOfMetaThatIsTakenAway();
        bench.zookeeper.children(Bench.ROOT).forEach(name -> bench.zookeeper.delete(Bench.ROOT + "/" + name));
        bench.replica("fresh", sno).step();
        assertEquals(floor, bench.meta().floor());
    }

    @Test
    void shouldKeepFloorWhenMetaIsTakenAway() {
        Instant floor = floorOfMetaThatIsTakenAway();
        assertEquals(floor, fenceRestore().floor());
        assertEquals(floor, fenceRestore().floor());
    }

    // --- operators' commands

    private Revocation revokeWhile(Replicated holder, Runnable others) {
        String nonce = holder.tenure().nonce();
        Replicated operator = bench.replica("operator", sno);
        operator.amid("multi", Fault.NONE, others);
        return ClusterView.on(operator.access(sno)).revoke(sno, 0, nonce);
    }

    @Test
    void shouldLeaveSuccessorAloneWhenHolderLeavesAmidForcedRelease() {
        Replicated holder = bench.replica("a", sno).step();
        assertEquals(Revocation.DONE, revokeWhile(holder, () -> holder.letPass(Duration.ofSeconds(3))), "it renews");
        holder.stepFor(Duration.ofSeconds(30));
        assertEquals(Revocation.GONE_ALREADY, revokeWhile(holder, holder.loop::close));
        assertEquals(Revocation.NOT_ITS_OWN, view(sno).revoke(sno, 0, "another"));

        Replicated last = bench.replica("last", sno).step();
        Replicated next = bench.replica("next", sno);
        assertEquals(Revocation.HELD_BY_ANOTHER, revokeWhile(last, () -> {
            last.loop.close();
            next.step();
        }));
        assertTrue(next.step().serves());
    }

    @Test
    void shouldTellThatASlotWasChangedWhenNobodyAnswersAfterwards() {
        Replicated holder = bench.replica("a", sno).step();
        Replicated operator = bench.replica("operator", sno);
        ClusterView view = ClusterView.on(operator.access(sno));
        assertEquals(Revocation.DONE, view.revoke(sno, 0, holder.tenure().nonce()));
        assertEquals(LeaseView.State.COOLING, view.changed(sno, 0).state());
        LeaseView before = view.lease(sno, 0);
        operator.client.faults(call -> Fault.REQUEST_LOST);
        LeaseView after = view.changed(sno, 0);

        assertThrows(UnreachableException.class, () -> view.lease(sno, 0));
        assertEquals(LeaseView.State.UNREADABLE, after.state());
        assertTrue(String.valueOf(after.unreadable()).startsWith("it was changed; "), after.toString());
        assertEquals(
                List.of(before.slot(), before.path(), before.recordPath()),
                List.of(after.slot(), after.path(), after.recordPath()));
    }

    @Test
    void shouldRetireInPoolThatNobodyUsedYet() {
        Replicated replica = bench.withoutPromise().replica("a", halves());
        Instant beginning = bench.now();
        Retired retired = view(halves()).retire(halves(), 1);
        assertEquals(
                new Retired(null, beginning.plus(Terms.farthest())), retired, "of a root that may have been wiped");
        replica.stepFor(Duration.ofSeconds(90));
        assertEquals(0, replica.tenure().slot().number());
        assertTrue(replica.serves());
    }

    /** The command's answer would be counted from that clock. */
    @Test
    void shouldRetireNothingWhenOperatorsClockIsWrong() {
        Replicated operator = bench.replica("operator", halves());
        bench.replica("a", halves()).step();
        off(operator, Duration.ofDays(1));
        FencedException e = assertThrows(
                FencedException.class,
                () -> ClusterView.on(operator.access(halves())).retire(halves(), 1));
        assertEquals(FenceReason.CLOCK_SKEW, e.reason());
        assertEquals(List.of(), new Pools(Bench.nodes(operator.client)).retired(List.of()));
    }

    @Test
    void shouldSayUntilWhenHolderCouldIssueWhenAnotherGenerationHasBegun() {
        Replicated holder = bench.replica("holder", halves()).step();
        cutOff(holder);
        Instant later = bench.now().plus(Duration.ofHours(1));
        Instant floor = OnStore.fenceRestore(
                        bench.access(halves()), new FenceRestore.Options(Optional.empty(), Optional.empty(), later))
                .floor();
        assertEquals(later, floor);
        assertTrue(relayout(quarters(), true).floor().isBefore(floor));
        assertEquals(floor, view(quarters()).retire(quarters(), 3).issuingUntil());
        bench.advance(Duration.ofHours(1));
        assertEquals(
                bench.now().plus(Terms.farthest()),
                view(quarters()).retire(quarters(), 2).issuingUntil());
    }

    /** The slot is retired right before the old generation ends: the relayout sees it. */
    @Test
    void shouldKeepSlotRetiredWhenThatHappensAmidRelayout() {
        Replicated operator = bench.replica("operator", halves());
        bench.replica("a", halves()).step();
        operator.amid("multi /ids/sno/layout", Fault.NONE, () -> {
            var unused = view(halves()).retire(halves(), 1);
        });
        Relayout.Report report = OnStore.relayout(operator.access(quarters()), quarters(), true);
        assertEquals(List.of("1"), report.retired());
    }

    @Test
    void shouldSayUntilWhenHolderCouldIssueWhenAnswerIsLost() {
        Replicated holder = anHourAhead(sno);
        Instant through = holder.tenure().reservedThrough();
        assertTrue(through.isAfter(bench.now().plus(Terms.farthest())), "more than any terms explain");
        Replicated operator = bench.replica("operator", sno);
        operator.client.next("multi /ids/sno/leases", Fault.ANSWER_LOST);
        ClusterView view = ClusterView.on(operator.access(sno));
        Retired retired = view.retire(sno, 0);
        assertEquals(through, retired.issuingUntil());
        assertEquals("ahead", java.util.Objects.requireNonNull(retired.holder()).instance());
        assertEquals(through, view.retire(sno, 0).issuingUntil(), "who asks again hears it again");
    }

    /** An operator's file may differ from the replicas', so an incarnation that it begins counts the longest window. */
    @Test
    void shouldCountOnTheLongestWindowWhenRetiringBeginsAnIncarnation() {
        view(sno).retire(sno, 0);
        assertEquals(bench.now().plusSeconds(82), meta().floor());
    }

    @Test
    void shouldMakeFewRecordsWhenRecordsWereDeleted() {
        MuidScheme muid = new MuidScheme();
        Replicated crashed = bench.replica("a", muid).step();
        bench.zookeeper.create("/ids/muid/records/1000000000005", "{}", 0);
        bench.zookeeper.delete("/ids/muid/records/1000000000005");
        bench.zookeeper.expire(crashed.client.session().id());
        Replicated next = bench.replica("b", muid);
        next.stepFor(Duration.ofSeconds(30));
        assertTrue(next.serves());
        assertTrue(
                bench.zookeeper.children("/ids/muid/records").size() <= 2,
                "" + bench.zookeeper.children("/ids/muid/records"));
    }

    /** A record would be made of each slot that has none, and nobody could use it for a while. */
    @Test
    void shouldClaimSlotWithARecordBeforeOthersWhenRecordsWereDeleted() {
        Scheme<?> many = Bench.sno(64);
        Replicated crashed = bench.replica("a", many).step();
        Slot slot = crashed.tenure().slot();
        bench.zookeeper.create("/ids/sno/records/README", "", 0);
        bench.zookeeper.delete("/ids/sno/records/README");
        bench.zookeeper.expire(crashed.client.session().id());
        bench.advance(Duration.ofSeconds(1));
        assertEquals(slot, bench.replica("b", many).step().tenure().slot());
        assertEquals(List.of(slot.name()), bench.zookeeper.children("/ids/sno/records"));
    }

    @Test
    void shouldListRetiredSlotsWhenFenceIsRestored() {
        Replicated holder = bench.replica("a", sno).step();
        view(sno).retire(sno, 0);
        assertEquals(List.of("/ids/sno/records/0"), fenceRestore().retired());
        holder.stepFor(Duration.ofSeconds(90));
        assertEquals(FenceReason.NO_FREE_SLOT, holder.reason(), "it stays retired");
    }
}
