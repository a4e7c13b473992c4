package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.spi.ILoggingEvent;
import com.google.common.collect.Sets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.lease.ServingState.DrainEnd;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.store.SimulatedZooKeeper.Znode;
import org.idallocator.zk.testing.Told;
import org.junit.jupiter.api.Test;

/** What a replica does when an operator drains it, resumes it, or wants other slots. */
final class OrdersTest {
    private static final String CLAIM = "multi /ids/sno/records";
    private static final Scheme<?> SNO = Bench.sno(4);
    private static final SlotPool POOL = SNO.pool().orElseThrow();
    private static final Scheme<?> MUID = new MuidScheme();

    private final Bench bench = new Bench();
    private final Replicated replica = bench.replica("a", SNO, MUID);

    private static FenceReason refusedWith(CompletableFuture<?> order) {
        return refusalOf(order).reason();
    }

    private static FencedException refusalOf(CompletableFuture<?> order) {
        CompletionException refused = assertThrows(CompletionException.class, order::join);
        return assertInstanceOf(FencedException.class, refused.getCause());
    }

    private FenceReason told() {
        return told(replica);
    }

    private static FenceReason told(Replicated replica) {
        return assertThrows(FencedException.class, replica.state.until(replica.slots())::current)
                .reason();
    }

    private static CompletableFuture<List<Rotated>> rotate(Replicated of) {
        Rotation rotation = new Rotation(of.slots());
        of.loop.rotate(rotation);
        return rotation.done();
    }

    private Replicated ofTwoSlots() {
        return bench.replica(Bench.settings("b", List.of(SNO)).withLeases(Map.of("sno", 2)))
                .step();
    }

    private List<String> held() {
        return bench.leases(POOL);
    }

    @Test
    void shouldGiveAllSlotsBackInOrderWhenDrained() {
        replica.step();
        assertEquals(1, replica.draw(1));
        long last = POOL.unit().tickAt(replica.clock.micros());
        bench.advance(Duration.ofSeconds(1));
        long slot = replica.tenure().slot().number();
        ServingState.Drain drain = Bench.drain(replica.state);
        assertEquals(FenceReason.DRAINED, told());
        assertFalse(drain.end().isDone());
        replica.step();

        assertTrue(Bench.hasGivenBack(drain));
        assertEquals(List.of(), held());
        assertEquals(List.of(), bench.leases(MUID.pool().orElseThrow()));
        assertTrue(bench.record(POOL, slot).released());
        assertEquals(last, bench.record(POOL, slot).ceiling());
        assertEquals(List.of("a"), bench.zookeeper.children(Bench.TREE.members()));
    }

    /** One line for each order that changes anything. */
    @Test
    void shouldServeOnUntilADrainThatIsAnnouncedIsCarriedOutAndTellTheLog() {
        replica.step();
        try (Told told = Told.inTheRoomOf(ServingState.class)) {
            ServingState.Drain announced = replica.state.announce();
            assertSame(announced, replica.state.announce());
            assertTrue(replica.state.isLeaving());
            replica.stepFor(Duration.ofSeconds(20));
            assertTrue(replica.serves());
            assertEquals(1, held().size());
            assertTrue(announced.tenures().isEmpty());

            replica.state.carryOut(announced);
            replica.state.carryOut(announced);
            assertFalse(replica.state.isLeaving());
            assertEquals(FenceReason.DRAINED, told());
            replica.step();
            assertTrue(Bench.hasGivenBack(announced));
            assertEquals(List.of(), held());
            replica.state.resume();
            replica.state.resume();

            String name = ServingState.class.getName();
            Stream<ILoggingEvent> lines =
                    told.events().stream().filter(event -> event.getLoggerName().equals(name));
            assertEquals(
                    List.of(
                            "a drain is announced: this replica says that it is not ready, and serves on for a while",
                            "drained: nobody is served from now on, and all slots are being given back",
                            "resumed: slots that were given back are claimed again"),
                    lines.map(ILoggingEvent::getFormattedMessage).toList());
        }
    }

    @Test
    void shouldClaimNothingInTheStepInWhichItIsDrained() {
        replica.amid("children", Fault.NONE, () -> Bench.drain(replica.state));
        replica.step();
        assertEquals(List.of(), held());
        assertEquals(List.of(), bench.leases(MUID.pool().orElseThrow()));
    }

    /** The order comes while the claim is under way. */
    @Test
    void shouldGiveBackInTheNextStepWhatWasClaimedWhenDrained() {
        replica.amid("multi /ids/muid/records", Fault.NONE, () -> Bench.drain(replica.state));
        replica.stepUntil(() -> !held().isEmpty());
        assertEquals(1, held().size());
        assertEquals(1, bench.leases(MUID.pool().orElseThrow()).size());

        replica.step();
        assertEquals(List.of(), held());
        assertEquals(List.of(), bench.leases(MUID.pool().orElseThrow()));
    }

    @Test
    void shouldServeAtOnceWhenResumed() {
        replica.step();
        CompletableFuture<DrainEnd> end = Bench.drain(replica.state).end();
        replica.state.resume();
        assertEquals(DrainEnd.RESUMED, end.getNow(DrainEnd.GIVEN_BACK), "whoever waits is not kept waiting");
        Bench.drain(replica.state);
        replica.stepFor(Duration.ofMinutes(2));
        assertEquals(List.of(), held());
        assertEquals(FenceReason.DRAINED, told());
        assertTrue(replica.state.resume());
        replica.step();

        assertTrue(replica.serves() && replica.serves(1));
        assertFalse(replica.state.resume());
    }

    /** None of a drained replica's slots serves, and it will have as many again: neither is unknown. */
    @Test
    void shouldTellOfNoSlotThatServesWhileDrained() {
        Supplier<Optional<SchemeStatus.Slots>> slots =
                () -> replica.state.status(replica.status()).slots();
        replica.step();
        SchemeStatus.Slots before = slots.get().orElseThrow();
        Bench.drain(replica.state);

        assertEquals(1, before.serving());
        assertEquals(Optional.of(new SchemeStatus.Slots(0, before.leases())), slots.get());
    }

    /** ZooKeeper may keep the step waiting that gives the slots back, and the next one as well. */
    @Test
    void shouldSayThatItStartsAsSoonAsItIsResumedAmidTheStepThatGivesBack() {
        replica.step();
        Bench.drain(replica.state);
        List<FenceReason> heard = new ArrayList<>();
        replica.amid("multi", Fault.NONE, () -> {
            heard.add(told());
            replica.state.resume();
            heard.add(told());
            SchemeStatus status = replica.state.status(replica.status());
            heard.add(status.fenced().orElseThrow().reason());
            heard.add(status.lacking().orElseThrow().reason());
            Bench.drain(replica.state);
            heard.add(told());
            replica.state.resume();
        });
        replica.step();

        assertEquals(
                List.of(
                        FenceReason.DRAINED,
                        FenceReason.STARTING,
                        FenceReason.STARTING,
                        FenceReason.STARTING,
                        FenceReason.DRAINED),
                heard);
        assertTrue(replica.serves(), "the step that gave back goes on, and claims");
    }

    @Test
    void shouldDrainNobodyWhenResumedWhileADrainIsAnnounced() {
        replica.step();
        ServingState.Drain announced = replica.state.announce();
        assertTrue(replica.state.resume());
        assertFalse(replica.state.isLeaving());
        assertEquals(DrainEnd.RESUMED, announced.end().getNow(DrainEnd.GIVEN_BACK));

        replica.state.carryOut(announced);
        replica.step();
        assertTrue(replica.serves());
        assertFalse(replica.state.resume());
    }

    @Test
    void shouldAnnounceNothingWhenItIsDrainedOrClosed() {
        replica.step();
        Bench.drain(replica.state);
        replica.step();
        assertTrue(Bench.hasGivenBack(replica.state.announce()));
        assertFalse(replica.state.isLeaving());
        replica.state.resume();
        ServingState.Drain announced = replica.state.announce();

        replica.state.close();
        assertEquals(DrainEnd.CLOSED, announced.end().getNow(DrainEnd.GIVEN_BACK));
        assertEquals(DrainEnd.CLOSED, replica.state.announce().end().getNow(DrainEnd.GIVEN_BACK));
        assertFalse(replica.state.isLeaving());
    }

    /** The fences have tripped by then, and no keeper has a tenure. */
    @Test
    void shouldIssueNothingAndNameTheSameSlotsWhenDrainedAgainWhileZooKeeperIsAway() {
        replica.step();
        List<Tenure> held = List.of(replica.tenure(0), replica.tenure(1));
        replica.client.faults(call -> Fault.REQUEST_LOST);
        Bench.drain(replica.state);
        replica.step();
        held.forEach(tenure -> assertEquals(FenceReason.DRAINED, Bench.whyTripped(tenure)));
        ServingState.Drain again = Bench.drain(replica.state);
        replica.step();

        assertEquals(held, List.copyOf(again.tenures()));
        assertFalse(again.end().isDone());
        assertEquals(FenceReason.UNREACHABLE, again.hindrance().orElseThrow().reason());

        replica.client.answer();
        replica.stepFor(Duration.ofSeconds(1));
        assertTrue(Bench.hasGivenBack(again));
        assertTrue(again.hindrance().isEmpty());
        ServingState.Drain after = Bench.drain(replica.state);
        assertTrue(after.tenures().isEmpty());
        assertTrue(Bench.hasGivenBack(after));
    }

    /** One pool's nodes alone are refused. */
    @Test
    void shouldNameTheSlotThatCannotBeGivenBackAndWhy() {
        replica.step();
        String slot = replica.tenure().slot().name();
        bench.zookeeper.forbid(path -> path.startsWith("/ids/sno/"));
        ServingState.Drain draining = Bench.drain(replica.state);
        replica.stepFor(Duration.ofSeconds(10));
        FencedException why = draining.hindrance().orElseThrow();

        assertEquals(List.of(), bench.leases(MUID.pool().orElseThrow()));
        assertFalse(draining.end().isDone());
        assertEquals(FenceReason.NO_PERMISSION, why.reason());
        assertEquals(
                "sno slot " + slot + ": " + FenceReason.NO_PERMISSION.sentence() + " (/ids/sno/records/" + slot
                        + ": NOAUTH)",
                why.getMessage());

        bench.zookeeper.forbid(path -> false);
        replica.stepFor(Duration.ofSeconds(10));
        assertTrue(Bench.hasGivenBack(draining));
        assertTrue(draining.hindrance().isEmpty());
    }

    @Test
    void shouldBeDrainedAtOnceWhenNothingIsHeldAlthoughZooKeeperIsAway() {
        replica.client.faults(call -> Fault.REQUEST_LOST);
        ServingState.Drain draining = Bench.drain(replica.state);
        replica.step();

        assertTrue(Bench.hasGivenBack(draining));
        assertTrue(draining.tenures().isEmpty());
    }

    /** Before and after each call of the step, a caller draws. */
    @Test
    void shouldChangeSlotWithoutGap() {
        String before = replica.step().tenure().slot().name();
        CompletableFuture<List<Rotated>> rotated = rotate(replica);
        int[] drawn = {0};
        replica.client.between(() -> drawn[0] += replica.draw(1));
        replica.step();
        replica.client.between(() -> {});

        String after = replica.tenure().slot().name();
        assertNotEquals(before, after);
        assertEquals(List.of(new Rotated("sno", before, after)), rotated.getNow(List.of()));
        assertEquals(List.of(after), held());
        assertTrue(bench.record(POOL, POOL.slotOf(before)).released());
        assertTrue(drawn[0] > 4, "drawn " + drawn[0]);
    }

    @Test
    void shouldChangeEachSlotThatServes() {
        Replicated several = ofTwoSlots();
        List<Tenure> before = several.slots().tenures();
        CompletableFuture<List<Rotated>> rotated = rotate(several);
        several.step();

        assertEquals(2, rotated.join().size());
        assertTrue(several.slots().tenures().stream().noneMatch(before::contains));
        assertEquals(2, held().size());
    }

    /** The first claim takes so long that the tenure of the second slot is over when its turn comes. */
    @Test
    void shouldLeaveOutASlotThatIsLostMeanwhile() {
        Replicated several = ofTwoSlots();
        Tenure lost = several.slots().tenures().get(1);
        CompletableFuture<List<Rotated>> rotated = rotate(several);
        several.amid(CLAIM, Fault.NONE, () -> {
            bench.advance(Duration.ofSeconds(4)); // a renewal is due
            lost.fence().trip(FenceReason.LEASE_GONE, "by an operator");
        });
        several.step();

        assertEquals(1, rotated.join().size());
    }

    @Test
    void shouldChangeNoFurtherSlotWhenDrainedMeanwhile() {
        Replicated several = ofTwoSlots();
        CompletableFuture<List<Rotated>> rotated = rotate(several);
        several.amid(CLAIM, Fault.NONE, () -> Bench.drain(several.state));
        several.stepUntil(rotated::isDone);

        assertEquals(FenceReason.DRAINED, refusedWith(rotated));
        assertEquals(3, held().size());
    }

    /** One slot is free: what is given back is not taken again. */
    @Test
    void shouldNameTheSlotsThatWereChangedBeforeARefusal() {
        replica.step();
        Replicated several = ofTwoSlots();
        Set<String> before = slotsOf(several);
        CompletableFuture<List<Rotated>> rotated = rotate(several);
        several.step();

        Set<String> after = slotsOf(several);
        String from = String.join("", Sets.difference(before, after));
        String to = String.join("", Sets.difference(after, before));
        FencedException refusal = refusalOf(rotated);
        String said = String.valueOf(refusal.getMessage());
        assertEquals(FenceReason.NO_FREE_SLOT, refusal.reason());
        assertTrue(said.startsWith(FenceReason.NO_FREE_SLOT.sentence()), said);
        assertTrue(said.endsWith("; changed before that: sno " + from + " -> " + to), said);
    }

    private static Set<String> slotsOf(Replicated replica) {
        return replica.slots().tenures().stream()
                .map(each -> each.slot().name())
                .collect(Collectors.toSet());
    }

    @Test
    void shouldGoOnWithTheSlotWhenNoOtherIsFree() {
        Bench full = new Bench();
        Replicated only = full.replica("a", Bench.sno(1)).step();
        Tenure tenure = only.tenure();
        CompletableFuture<List<Rotated>> rotated = rotate(only);
        only.step();

        assertEquals(FenceReason.NO_FREE_SLOT, refusedWith(rotated));
        assertSame(tenure, only.tenure());
        assertTrue(only.serves());
    }

    @Test
    void shouldRefuseRotationWhenZooKeeperDoesNotAnswerAndWhileDrained() {
        replica.step();
        replica.client.faults(call -> Fault.REQUEST_LOST);
        CompletableFuture<List<Rotated>> unanswered = rotate(replica);
        replica.step();
        assertEquals(FenceReason.UNREACHABLE, refusedWith(unanswered));

        replica.client.answer();
        Bench.drain(replica.state);
        CompletableFuture<List<Rotated>> drained = rotate(replica);
        replica.step();
        assertEquals(FenceReason.DRAINED, refusedWith(drained));
    }

    /** The old state comes back while the first slot is changed: the renewal of another one finds that. */
    @Test
    void shouldSayWhatIsLostWhenZooKeeperIsRolledBackAmidRotation() {
        replica.step();
        NavigableMap<String, Znode> backup = bench.zookeeper.tree();
        replica.stepFor(Duration.ofSeconds(10));
        CompletableFuture<List<Rotated>> rotated = rotate(replica);
        replica.amid(CLAIM, Fault.NONE, () -> {
            bench.zookeeper.restore(backup);
            bench.advance(Duration.ofSeconds(4)); // a renewal is due
        });
        replica.step();

        assertEquals(FenceReason.ROLLED_BACK, refusedWith(rotated));
    }

    /** Nobody steps any more. */
    @Test
    void shouldRefuseRotationWhenItStops() {
        replica.step();
        CompletableFuture<List<Rotated>> before = rotate(replica);
        replica.state.close();
        replica.loop.close();

        assertEquals(FenceReason.CLOSED, refusedWith(before));
        assertEquals(FenceReason.CLOSED, refusedWith(rotate(replica)));
    }

    /** Closed before the step, after it, or amid any of its calls: from then on callers hear of nothing else. */
    @Test
    void shouldTellNothingElseOnceItIsClosed() {
        for (int closesAt = 0; closesAt < 30; closesAt++) {
            Replicated each = new Bench().replica("each", SNO, MUID);
            int[] left = {closesAt};
            Runnable call = () -> {
                if (left[0]-- == 0) {
                    each.state.close();
                }
                assertClosed(each, left[0] < 0);
            };
            each.client.between(call);
            each.step();
            Bench.drain(each.state);
            each.step();
            each.state.resume();
            each.loop.fenceAll();
            each.step();
            each.client.between(() -> {});
            each.state.close();
            assertClosed(each, true);
            each.loop.close();
            each.state.resume();
            assertClosed(each, true);
            Bench.drain(each.state);
            assertClosed(each, true);
        }
    }

    private static void assertClosed(Replicated replica, boolean closed) {
        SchemeStatus status = replica.state.status(replica.status());
        if (closed) {
            assertEquals(FenceReason.CLOSED, told(replica));
            assertEquals(FenceReason.CLOSED, status.fenced().orElseThrow().reason());
            assertFalse(status.slot().isPresent());
        }
    }
}
