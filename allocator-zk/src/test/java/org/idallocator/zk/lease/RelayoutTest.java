package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.zk.era.Generation;
import org.idallocator.zk.era.Generations;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.FenceRestore;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.OnStore;
import org.idallocator.zk.operator.OperatorAccess;
import org.idallocator.zk.operator.RefusedException;
import org.idallocator.zk.operator.Relayout;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.SlotRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a change of a layout counts in the new floor, and what happens when somebody comes between. */
final class RelayoutTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final Bench bench = new Bench();
    private final Scheme<?> sno = Bench.sno(1);
    private final SlotPool pool = sno.pool().orElseThrow();

    private void relayout() {
        OnStore.relayout(bench.access(sno), sno, true);
    }

    @Test
    void shouldRefuseWhenNothingIsToBeChanged() {
        bench.replica("a", sno).step();
        assertThrows(RefusedException.class, this::relayout);
    }

    /** A lease ends with its session. What is PERSISTENT is nobody's: no replica that is stopped would take it away. */
    @Test
    void shouldCountEphemeralNodesAloneAsHolders() {
        Replicated replica = bench.replica("a", sno).step();
        bench.zookeeper.create("/ids/sno/leases/note", "of an operator", 0);
        bench.zookeeper.create("/ids/sno/leases/1", bench.data("/ids/sno/leases/0"), 0);

        RefusedException refused = assertThrows(RefusedException.class, () -> relayoutUnlessHeld(LONG));
        assertEquals(
                "/ids/sno/layout is in use: slot 0 by a; stop these replicas, or take their slots away with --fence",
                refused.getMessage());
        replica.loop.close();
        assertEquals(List.of(), relayoutUnlessHeld(LONG).fenced());
    }

    private Relayout.Report relayoutUnlessHeld(Scheme<?> to) {
        return OnStore.relayout(bench.access(to), to, false);
    }

    private static AllocatorSettings settings(Duration window) {
        return Bench.settings("operator", Bench.sno(1), window);
    }

    /** Runs the command on a replica's client; the pool is left without a generation. */
    private String failure(Replicated operator, Duration window) {
        UnreachableException e = assertThrows(
                UnreachableException.class, () -> OnStore.relayout(operator.access(settings(window)), sno, true));
        String why = String.valueOf(e.getMessage());
        String ended = "the generation of /ids/sno/layout was ended, and the next has not begun for certain: the pool"
                + " serves nothing until the command is run again: ";
        assertTrue(why.startsWith(ended), why);
        return why.substring(ended.length());
    }

    private Instant floorAfterRelayoutTo(Duration window) {
        return OnStore.relayout(
                        new OperatorAccess(bench.zookeeper.connect(), bench.clock(), settings(window)), sno, true)
                .floor();
    }

    /** HolderLookup of the old generation have reserved by the old window, also those that are cut off. */
    @Test
    void shouldCountOnTheOldWindowWhenTheNewIsShorter() {
        bench.replica(settings(Duration.ofSeconds(60))).step();
        assertEquals(bench.now().plusSeconds(60 + 2 * 2 + 2), floorAfterRelayoutTo(Duration.ofSeconds(10)));
    }

    @Test
    void shouldNeverLowerTheFloorWhenLayoutIsChangedAgain() {
        bench.replica(settings(Duration.ofSeconds(60))).step();
        Instant floor = floorAfterRelayoutTo(Duration.ofSeconds(10));
        bench.advance(Duration.ofSeconds(1));
        assertEquals(floor, floorAfterRelayoutTo(Duration.ofSeconds(20)));
    }

    /**
     * Nothing is served before the floor that is there is past, so the records, which are as far ahead, are no reason
     * to refuse.
     */
    @Test
    void shouldChangeTheLayoutAgainWhereTheWindowWasLongBefore() {
        bench.replica(settings(HOUR)).step();
        Instant floor = floorAfterRelayoutTo(Duration.ofSeconds(10));
        assertEquals(bench.now().plus(HOUR).plusSeconds(2 * 2 + 2), floor);
        assertEquals(floor, floorAfterRelayoutTo(Duration.ofSeconds(20)));
    }

    /**
     * What the layout says of the window was true when its generation was ended; the largest skew counts that is
     * allowed.
     */
    @Test
    void shouldCountALongWindowAlsoWhereItsGenerationWasEnded() {
        Replicated replica = bench.replica(settings(HOUR)).step();
        bench.zookeeper.delete(
                Bench.TREE.generation(pool, replica.tenure().grant().generation()));
        assertEquals(bench.now().plus(HOUR).plusSeconds(2 * 10 + 2), floorAfterRelayoutTo(Duration.ofSeconds(10)));
    }

    @Test
    void shouldKeepTheFloorOfALayoutThatWasEdited() {
        bench.replica(settings(HOUR)).step();
        Instant floor = floorAfterRelayoutTo(Duration.ofSeconds(10));
        bench.zookeeper.set(
                "/ids/sno/layout",
                bench.data("/ids/sno/layout").replace("\"windowMillis\":10000", "\"windowMillis\":9000"));
        // the node's time is that of the edit, from which its floor is counted, too
        assertEquals(floor, floorAfterRelayoutTo(Duration.ofSeconds(20)));
    }

    /** Else nobody could bring the pool back by any command. */
    @Test
    void shouldNotKeepAFloorThatNoWindowExplainsOfALayoutThatWasEdited() {
        bench.replica("a", sno).step();
        bench.zookeeper.set(
                "/ids/sno/layout",
                bench.data("/ids/sno/layout")
                        .replace("\"windowMillis\":10000", "\"windowMillis\":9000")
                        .replaceFirst("\"floor\":\"[^\"]*\"", "\"floor\":\"3000-01-01T00:00:00Z\""));
        assertEquals(bench.now().plusSeconds(82), floorAfterRelayoutTo(Duration.ofSeconds(20)));
    }

    @Test
    void shouldCountOnTheLongestWindowWhenTheOldLayoutCannotBeRead() {
        bench.replica("a", sno).step();
        bench.zookeeper.set("/ids/sno/layout", "no JSON");
        assertEquals(bench.now().plusSeconds(82), floorAfterRelayoutTo(Duration.ofSeconds(10)));
    }

    /** Amid the change, the layout is deleted, and made anew at the same version by replicas with a longer window. */
    @Test
    void shouldChangeNothingWhenAnotherGenerationBeganMeanwhile() {
        bench.replica(settings(Duration.ofSeconds(10))).step();
        Replicated operator = bench.replica("operator", sno);
        operator.amid("multi", Fault.NONE, () -> {
            bench.zookeeper.delete("/ids/sno/layout");
            bench.replica(settings(Duration.ofSeconds(60))).step();
        });
        ChangedMeanwhileException e = assertThrows(
                ChangedMeanwhileException.class,
                () -> OnStore.relayout(operator.access(settings(Duration.ofSeconds(20))), sno, true));
        assertEquals(
                "/ids/sno/layout, or meta, was written by somebody else meanwhile; nothing was changed: look, and run it"
                        + " again",
                e.getMessage());
    }

    /** Half a deletion: the layout is as configured, but nobody can go on under it. */
    @Test
    void shouldBeginAnewWhenGenerationIsMissing() {
        Replicated replica = bench.replica("a", sno).step();
        long ceiling = replica.tenure().fence().ceilingTick();
        String generation = replica.tenure().grant().generation();
        bench.zookeeper.delete(Bench.TREE.generation(sno.pool().orElseThrow(), generation));
        replica.stepFor(Duration.ofSeconds(5));
        assertEquals(FenceReason.LAYOUT_MISMATCH, replica.reason());
        relayout();
        replica.stepFor(Duration.ofSeconds(83));
        assertTrue(replica.serves());
        assertTrue(replica.tenure().fence().floorTick() > ceiling);
    }

    /** Whoever dies between the end of the old generation and the beginning of the next leaves a pool that says so. */
    @Test
    void shouldGoOnWhenSomebodyDiedInBetween() {
        Replicated replica = bench.replica("a", sno).step();
        Replicated operator = bench.replica("operator", sno);
        int[] transactions = {0};
        operator.client.faults(call ->
                call.contains("multi /ids/sno/layout") && transactions[0]++ == 1 ? Fault.REQUEST_LOST : Fault.NONE);
        assertTrue(failure(operator, Duration.ofSeconds(5)).endsWith(": CONNECTIONLOSS"));
        replica.stepFor(Duration.ofSeconds(5));
        assertEquals(FenceReason.LAYOUT_MISMATCH, replica.reason(), replica.why());
        assertEquals(bench.now().plusSeconds(82), floorAfterRelayoutTo(Duration.ofSeconds(5)));
    }

    @Test
    void shouldSayThatPoolServesNothingWhenSecondHalfIsRefused() {
        bench.replica("a", sno).step();
        Replicated operator = bench.replica("operator", sno);
        operator.client.faults(call -> {
            if (call.contains("multi /ids/sno/layout")) {
                bench.leaderOff(Duration.ofHours(1));
            }
            return Fault.NONE;
        });
        String why = failure(operator, Duration.ofSeconds(5));
        assertTrue(why.startsWith("the clock"), why);
        bench.leaderOff(Duration.ZERO);
        floorAfterRelayoutTo(Duration.ofSeconds(5));
    }

    /**
     * Meanwhile the layout was deleted, begun anew and written by hand, so that its version is what the second half
     * expects.
     */
    @Test
    void shouldBeginNothingWhenAnotherGenerationBeganBetweenTheHalves() {
        bench.replica("a", sno).step();
        Replicated operator = bench.replica("operator", sno);
        String layout = Bench.TREE.layout(sno.pool().orElseThrow());
        int[] halves = {0};
        operator.client.faults(call -> {
            if (call.contains("multi /ids/sno/layout") && halves[0]++ == 1) {
                bench.zookeeper.delete(layout);
                bench.replica("b", sno).step();
                bench.zookeeper.set(layout, bench.data(layout));
            }
            return Fault.NONE;
        });
        assertEquals(
                "/ids/sno/layout, or meta, was written by somebody else meanwhile",
                failure(operator, Duration.ofSeconds(5)));
        Generation now = Generations.read(
                        Bench.nodes(bench.zookeeper.connect()), sno.pool().orElseThrow())
                .orElseThrow();
        assertEquals(1, now.version());
        assertEquals(List.of(now.node().generation()), bench.zookeeper.children(layout));
        assertEquals(Duration.ofSeconds(10), now.node().terms().window());
    }

    /** No record of the old generation is written any more, not even by a release that was on its way. */
    @Test
    void shouldReleaseNothingOfTheOldGeneration() {
        Replicated replica = bench.replica("a", sno).step();
        replica.stepFor(Duration.ofSeconds(3));
        SlotRecord before = bench.record(sno.pool().orElseThrow(), 0);
        replica.amid("multi /ids/sno/leases", Fault.NONE, () -> floorAfterRelayoutTo(Duration.ofSeconds(5)));
        replica.loop.close();
        assertEquals(before, bench.record(sno.pool().orElseThrow(), 0));
    }

    private static final Scheme<?> SHORT = new SnoScheme(0, 100, 1);
    private static final Scheme<?> LONG = new SnoScheme(0, 128, 1);

    private ClusterView view(Scheme<?> scheme) {
        return ClusterView.on(bench.access(scheme));
    }

    private Relayout.Report relayout(Scheme<?> to) {
        return OnStore.relayout(bench.access(to), to, true);
    }

    /** Slot 7 was used under its short name, and is retired; returns until when its last holder may issue. */
    private Instant retired() {
        bench.replica("a", SHORT).step().loop.close();
        return view(SHORT).retire(SHORT, 7).issuingUntil();
    }

    /** The record of slot 7 of a layout. */
    private SlotRecord seventh(Scheme<?> scheme) {
        return bench.record(scheme.pool().orElseThrow(), 7);
    }

    /** Under no name is anything forgotten of what either record reserves. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepWhatARetiredSlotReservesWhenItsNameGetsLonger(boolean moreUnderTheNewName) {
        Instant until = retired();
        Instant before = bench.now();
        if (moreUnderTheNewName) {
            until = until.plusSeconds(5);
            bench.zookeeper.create(
                    "/ids/sno/records/007",
                    Json.write(SlotRecord.reserved(
                            sno.pool().orElseThrow().unit(),
                            sno.pool().orElseThrow().unit().firstTickFrom(until.toEpochMilli() * 1_000) - 1,
                            "a tenure of an earlier layout")),
                    0);
            bench.zookeeper.set("/ids/sno/layout", "no JSON");
        }
        Relayout.Report done = relayout(LONG);

        assertEquals(List.of("007"), done.retired());
        assertEquals(until, seventh(LONG).reservedThrough());
        assertFalse(done.floor().isBefore(until.minus(moreUnderTheNewName ? Duration.ZERO : Terms.farthest())));
        assertEquals(until, view(LONG).unretire(LONG, 7, Instant.EPOCH));
        assertEquals(until, seventh(SHORT).reservedThrough(), "nor under the old one");
        assertEquals(before, bench.now());
    }

    /** Something else has issued IDs of the slot, with times that are still ahead. */
    @Test
    void shouldBeginAboveWhatWasIssuedElsewhereWhateverTheNameWasThen() {
        retired();
        Instant used = bench.now().plusSeconds(80);
        view(SHORT).unretire(SHORT, 7, used);
        view(SHORT).retire(SHORT, 7);
        relayout(LONG);
        Instant begins = view(LONG).unretire(LONG, 7, Instant.EPOCH);

        assertTrue(begins.isAfter(used), begins + " is not after " + used);
    }

    /**
     * A layout in between may have had no such slot. So a name counts that any layout of the scheme can have, not the
     * last one's alone.
     */
    @Test
    void shouldCarryEveryNameThatSomeLayoutCanHave() {
        bench.replica("a", SHORT).step().loop.close();
        String retired = Json.write(SlotRecord.retired(sno.pool().orElseThrow().unit(), Instant.EPOCH));
        for (String name : List.of("3", "0004", "x", "-4", "+5", "٦", "999", "0999")) {
            bench.zookeeper.create("/ids/sno/records/" + name, retired, 0);
        }
        view(SHORT).retire(SHORT, 7);
        Relayout.Report done = relayout(LONG);

        assertEquals(List.of("003", "004", "007"), done.retired());
        assertEquals(List.of("0999"), done.dropped(), "one slot, by one of its names");
        assertEquals(Optional.empty(), bench.zookeeper.node("/ids/sno/records/005"));
        assertEquals(Optional.empty(), bench.zookeeper.node("/ids/sno/records/006"));
    }

    /** Its records under the names of earlier layouts stay, and are nothing that people need to be shown. */
    @Test
    void shouldListARetiredSlotOnceWhateverItsNamesWere() {
        retired();
        view(SHORT).retire(SHORT, 50);
        relayout(LONG);
        assertEquals(List.of("007", "050"), retiredNames(view(LONG)));
        assertEquals(List.of("/ids/sno/records/007", "/ids/sno/records/050"), restored(LONG));

        Scheme<?> few = new SnoScheme(0, 10, 1);
        relayout(few);
        assertEquals(
                List.of("050", "7"),
                retiredNames(view(few)),
                "a slot that this layout does not have, by one of its names");
        assertEquals(List.of("/ids/sno/records/050", "/ids/sno/records/7"), restored(few));
    }

    /** Whatever has a lease is shown: somebody may have put it there by hand, or a backup may have. */
    @Test
    void shouldListALeaseUnderAnEarlierNameOfARetiredSlot() {
        retired();
        relayout(LONG);
        bench.zookeeper.create("/ids/sno/leases/07", "by hand", 0);

        assertEquals(List.of("007", "07"), retiredNames(view(LONG)));
    }

    private static List<String> retiredNames(ClusterView view) {
        return view.leases().stream()
                .map(LeaseView::slot)
                .filter(name -> name.matches("0*(7|50)"))
                .toList();
    }

    /** The records of retired slots that fence-restore lists. */
    private List<String> restored(Scheme<?> scheme) {
        return OnStore.fenceRestore(bench.access(scheme), FenceRestore.Options.none())
                .retired();
    }

    @Test
    void shouldKeepASlotRetiredWhenALayoutInBetweenDidNotHaveIt() {
        Scheme<?> few = new SnoScheme(0, 10, 1);
        bench.replica("a", SHORT).step().loop.close();
        view(SHORT).retire(SHORT, 50);
        assertEquals(List.of("50"), relayout(few).dropped());
        assertEquals(List.of("050"), relayout(LONG).retired());
        assertTrue(bench.record(LONG.pool().orElseThrow(), 50).isRetired());

        view(LONG).unretire(LONG, 50, Instant.EPOCH);
        assertEquals(List.of(), relayout(few).dropped());
        assertEquals(List.of(), relayout(SHORT).retired(), "put back under all its names");
    }

    /** A replica begins anew, by a layout with longer names. */
    @Test
    void shouldKeepASlotRetiredWhenTheLayoutWasDeletedByHand() {
        Instant until = retired();
        bench.zookeeper.delete("/ids/sno/layout");
        bench.replica("b", LONG).step();

        assertTrue(seventh(LONG).isRetired());
        assertEquals(until, seventh(LONG).reservedThrough());
    }

    /**
     * A replica with the old layout was faster, and the slot was put back. It does not stay retired by a name that is
     * not used.
     */
    @Test
    void shouldRetireNothingWhenALayoutBeganMeanwhile() {
        retired();
        bench.zookeeper.delete("/ids/sno/layout");
        Replicated slow = bench.replica("b", LONG);
        slow.amid("multi /ids/sno/records/007", Fault.NONE, () -> {
            bench.replica("c", SHORT).step().loop.close();
            view(SHORT).unretire(SHORT, 7, Instant.EPOCH);
        });
        slow.step();

        assertFalse(seventh(SHORT).isRetired());
        assertEquals(Optional.empty(), bench.zookeeper.node("/ids/sno/records/007"));
    }
}
