package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.Draw;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.core.testing.Proof;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.Payloads;
import org.idallocator.zk.znode.SlotRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lease loop in trouble: one slot or scheme has it, and the others go on; each task is small; nothing is lost. */
final class LeaseLoopTest {
    private static final Duration FAR = Duration.ofMillis(300);

    private final Bench bench = new Bench();
    private final Scheme<?> muid = new MuidScheme();

    private static AllocatorSettings settings(String instance, List<Scheme<?>> schemes, Map<String, Integer> leases) {
        return Bench.settings(instance, schemes).withLeases(leases);
    }

    private static long fences(Replicated replica, int scheme, FenceReason reason) {
        return replica.slots(scheme).counts().fences().getOrDefault(reason, 0L);
    }

    private static CompletableFuture<List<Rotated>> rotate(Replicated of, int scheme) {
        Rotation rotation = new Rotation(of.slots(scheme));
        of.loop.rotate(rotation);
        return rotation.done();
    }

    private void far(Replicated replica) {
        replica.client.answering(() -> bench.advance(FAR));
    }

    /** The first scheme loses its only slot. */
    private void assertClaimsAnotherSlotSoon(Replicated replica) {
        bench.zookeeper.delete(Bench.TREE.lease(replica.tenure(0).slot()));
        Instant lost = bench.now();
        replica.letPass(Duration.ofSeconds(3));
        for (int i = 0; i < 300 && !replica.serves(0); i++) {
            replica.letPass(Duration.ofSeconds(1));
        }
        long seconds = Duration.between(lost, bench.now()).toSeconds();
        assertTrue(seconds < 15, "seconds without a slot: " + seconds);
    }

    /**
     * Has the replica draw, gives its slots back, claims them again, and has it draw again. Returns the record of slot
     * 0 in between.
     */
    private String drawAndComeBack(Replicated replica, Set<Sno> drawn) {
        bench.advance(Duration.ofSeconds(5));
        drawn.addAll(drawAll(replica.step()));
        Bench.drain(replica.state);
        replica.step();
        String earlier = bench.data("/ids/sno/records/0");
        replica.state.resume();
        drawn.addAll(drawAll(replica.step()));
        return earlier;
    }

    /** Whoever has the slot next: another replica, or the same one, which knows what it has issued itself. */
    private void assertRepeatsNothing(Set<Sno> drawn, Replicated replica, boolean followedByAnother) {
        int slots = replica.slots().keepers().size();
        Replicated next = followedByAnother
                ? bench.replica(settings("another", List.of(Bench.sno(slots)), Map.of("sno", slots)))
                : replica;
        replica.state.resume();
        Set<Sno> after = drawAll(next.step()); // in the same tick, if at all
        bench.advance(Duration.ofMillis(8));
        assertTrue(after.addAll(drawAll(next)), "it serves");
        after.retainAll(drawn);
        assertEquals(Set.of(), after);
    }

    /** Somebody took the right to read one pool's layout away. */
    @Test
    void shouldServeOtherSchemesWhenOneLayoutMayNotBeRead() {
        Scheme<?> sno = Bench.sno(4);
        bench.replica("a", sno, muid).step();
        bench.zookeeper.hide("/ids/sno/layout"::equals);
        Replicated replica = bench.replica("b", sno, muid);
        replica.stepFor(Duration.ofSeconds(5));
        assertFalse(replica.serves(0));
        assertTrue(replica.serves(1), () -> replica.why(1));
    }

    /** All slots of one pool are taken, and the lease of one that is to be named says nothing. */
    @Test
    void shouldServeOtherSchemesWhenOnePoolIsFullAndALeaseCannotBeRead() {
        Scheme<?> sno = Bench.sno(1);
        Replicated first = bench.replica("a", sno, muid).step();
        bench.zookeeper.set(Bench.TREE.lease(first.tenure().slot()), "");
        Replicated replica = bench.replica("b", sno, muid);
        replica.stepFor(Duration.ofSeconds(5));
        assertFalse(replica.serves(0));
        assertTrue(replica.serves(1), () -> replica.why(1));
    }

    /** A stranger hands over, under another name, an earlier state of the slot, while it is given back. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRepeatNothingWhenAnEarlierStateComesBackAmidRelease(boolean followedByAnother) {
        Scheme<?> sno = Bench.sno(1);
        Replicated replica = bench.replica("a", sno);
        Set<Sno> before = new HashSet<>();
        String earlier = drawAndComeBack(replica, before);
        replica.amid("multi /ids/sno/leases/0", Fault.NONE, () -> bench.zookeeper.set("/ids/sno/records/0", earlier));
        Bench.drain(replica.state);
        replica.step();
        assertRepeatsNothing(before, replica, followedByAnother);
    }

    /** The same, where nobody knows whether the release was made. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRepeatNothingWhenAnEarlierStateComesBackAfterALostRelease(boolean followedByAnother) {
        Scheme<?> sno = Bench.sno(1);
        Replicated replica = bench.replica("a", sno);
        Set<Sno> before = new HashSet<>();
        String earlier = drawAndComeBack(replica, before);
        ServingState.Drain again = drainAndLoseTheRelease(replica);
        bench.zookeeper.set("/ids/sno/records/0", earlier);
        replica.client.answer();
        replica.step();
        assertTrue(Bench.hasGivenBack(again));
        assertRepeatsNothing(before, replica, followedByAnother);
    }

    /**
     * The lease is gone, and another one's record says enough: nothing is to be released. Then somebody brings the
     * earlier state back.
     */
    @Test
    void shouldRepeatNothingWhenAnotherRecordFollowsALostReleaseAndThenAnEarlierState() {
        Scheme<?> sno = Bench.sno(1);
        Replicated replica = bench.replica("a", sno);
        Set<Sno> before = new HashSet<>();
        String earlier = drawAndComeBack(replica, before);
        ServingState.Drain again = drainAndLoseTheRelease(replica);
        SlotPool pool = sno.pool().orElseThrow();
        long now = pool.unit().tickAt(replica.clock.micros());
        bench.zookeeper.set("/ids/sno/records/0", Json.write(SlotRecord.released(pool.unit(), now, "another's")));
        bench.zookeeper.delete("/ids/sno/leases/0");
        replica.client.answer();
        replica.step();
        assertTrue(Bench.hasGivenBack(again));
        bench.zookeeper.set("/ids/sno/records/0", earlier);
        assertRepeatsNothing(before, replica, false);
    }

    private static ServingState.Drain drainAndLoseTheRelease(Replicated replica) {
        boolean[] lost = {false};
        replica.client.faults(call -> {
            lost[0] |= call.startsWith("multi /ids/sno/leases/0");
            return lost[0] ? Fault.REQUEST_LOST : Fault.NONE;
        });
        ServingState.Drain drain = Bench.drain(replica.state);
        replica.step();
        assertTrue(lost[0]);
        return drain;
    }

    /**
     * Nobody touches this slot while it is given back: another one's write is refused. Then an earlier state of this
     * one comes back.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRepeatNothingWhenAnEarlierStateComesBackAfterARefusedRelease(boolean followedByAnother) {
        Scheme<?> sno = Bench.sno(2);
        Replicated replica = bench.replica(settings("a", List.of(sno), Map.of("sno", 2)));
        Set<Sno> before = new HashSet<>();
        String earlier = drawAndComeBack(replica, before);
        replica.amid(
                "multi /ids/sno/leases",
                Fault.NONE,
                () -> bench.zookeeper.set("/ids/sno/records/1", bench.data("/ids/sno/records/1")));
        Bench.drain(replica.state);
        replica.stepUntil(() -> bench.version("/ids/sno/records/1") > 3);
        bench.zookeeper.set("/ids/sno/records/0", earlier);
        replica.step();
        assertRepeatsNothing(before, replica, followedByAnother);
    }

    private static Set<Sno> drawAll(Replicated from) {
        Set<Sno> ids = new HashSet<>();
        from.slots(0).tenures().forEach(tenure -> {
            var unused = Draw.of(tenure.generator(), 3, Variant.NONE, (high, low) -> ids.add(new Sno(high, low)));
        });
        return ids;
    }

    /** Somebody puts a lease back as a node that stays, with a child: it cannot be deleted. */
    private void putBackForGood(String lease) {
        String data = bench.data(lease);
        bench.zookeeper.delete(lease);
        bench.zookeeper.create(lease, data, 0);
        bench.zookeeper.create(lease + "/child", "", 0);
    }

    /** Somebody put the lease of a backup back. */
    @Test
    void shouldServeOthersWhenALeaseCannotBeDeleted() {
        Scheme<?> sno = Bench.sno(2);
        Replicated replica = bench.replica("a", sno, muid).step();
        putBackForGood(Bench.TREE.lease(replica.tenure(0).slot()));
        for (int i = 0; i < 200; i++) {
            var unused = replica.loop.step();
        }
        assertTrue(replica.serves(0), () -> replica.why(0));
    }

    /** The same: ZooKeeper is not asked without a pause for ever. */
    @Test
    void shouldPauseWhereALeaseCannotBeDeleted() {
        Replicated replica = bench.replica("a", Bench.sno(2), muid).step();
        putBackForGood(Bench.TREE.lease(replica.tenure(0).slot()));
        Bench.drain(replica.state);
        boolean paused = false;
        for (int i = 0; i < 200 && !paused; i++) {
            paused = replica.loop.step() > 0;
        }
        assertTrue(paused);
    }

    /** Each renewal is made, and its answer is lost: reading back tells. Another scheme's slot was lost before. */
    @Test
    void shouldClaimAlthoughRenewalsAreOnlyReadBack() {
        Scheme<?> sno = Bench.sno(4);
        Replicated replica = bench.replica("a", sno, muid).step();
        bench.zookeeper.delete(Bench.TREE.lease(replica.tenure(1).slot()));
        replica.client.faults(call -> call.startsWith("multi /ids/sno/records") ? Fault.ANSWER_LOST : Fault.NONE);
        bench.advance(Duration.ofMillis(2_500));
        for (int i = 0; i < 200; i++) {
            var unused = replica.loop.step();
        }
        assertTrue(replica.serves(1), () -> replica.why(1));
    }

    /** Records of a pool were deleted once: each slot that has none takes two answers more. */
    @Test
    void shouldFenceNothingWhenRecordsWereDeletedAndAnswersTakeLong() {
        Scheme<?> sno = Bench.sno(64);
        List<Scheme<?>> schemes = List.of(muid, sno);
        bench.replica(settings("a", schemes, Map.of())).step();
        bench.zookeeper.create("/ids/sno/records/63", "", 0);
        bench.zookeeper.delete("/ids/sno/records/63");
        Replicated replica = bench.replica(settings("b", schemes, Map.of("sno", 16)));
        far(replica);
        replica.letPass(Duration.ofSeconds(40));
        assertEquals(0, fences(replica, 0, FenceReason.DEADLINE_PASSED));
    }

    /** Somebody takes the right to write to one pool away, of which the replica has many slots. */
    @Test
    void shouldFenceNothingOfOthersWhenManySlotsAreForbiddenAndAnswersTakeLong() {
        Scheme<?> sno = Bench.sno(64);
        List<Scheme<?>> schemes = List.of(muid, sno);
        Replicated replica =
                bench.replica(settings("b", schemes, Map.of("sno", 32))).step();
        far(replica);
        bench.zookeeper.forbid(path -> path.startsWith("/ids/sno/"));
        replica.letPass(Duration.ofSeconds(30));
        assertEquals(0, fences(replica, 0, FenceReason.DEADLINE_PASSED));
    }

    /** At a stop, what may not be given back comes first: how many answers the other slot waits for. */
    @Test
    void shouldGiveOthersBackWithinFewAnswersWhenSomeMayNotBeAndItStops() {
        Replicated replica = bench.replica(settings("b", List.of(Bench.sno(64), muid), Map.of("sno", 8)))
                .step();
        String lease = Bench.TREE.lease(replica.tenure(1).slot());
        bench.zookeeper.forbid(path -> path.startsWith("/ids/sno/"));
        AtomicInteger answers = new AtomicInteger();
        replica.client.answering(() -> {
            if (bench.zookeeper.node(lease).isPresent()) {
                answers.incrementAndGet();
            }
        });
        replica.loop.close();
        assertTrue(bench.zookeeper.node(lease).isEmpty());
        assertTrue(answers.get() <= 12, answers::toString);
    }

    /**
     * Whatever others may have reserved until the records are made, and not until they were read: an answer may take
     * long.
     */
    @Test
    void shouldReserveAllThatMayBeReservedByNowWhenFirstRecordsAreMade() {
        Scheme<?> sno = Bench.sno(64);
        Replicated before = bench.replica("a", sno).step();
        String record = Bench.TREE.record(before.tenure().slot());
        before.loop.close();
        bench.zookeeper.delete(record);
        Replicated replica = bench.replica(settings("far", List.of(sno), Map.of("sno", 16)));
        far(replica);
        List<Instant> reserved = new ArrayList<>();
        bench.zookeeper.onWrite((path, data, created) -> {
            if (created && path.startsWith("/ids/sno/records/")) {
                reserved.add(Payloads.read(path, data, SlotRecord.class)
                        .reservedThrough(sno.pool().orElseThrow().unit()));
                Duration ahead = Duration.between(bench.now(), reserved.get(reserved.size() - 1));
                assertTrue(ahead.compareTo(Bench.AHEAD.minus(FAR).minusMillis(10)) >= 0, ahead::toString);
            }
        });
        replica.stepFor(Duration.ofSeconds(5));
        assertEquals(16, reserved.size(), "together");
    }

    /** An operator takes the slots of one scheme away, one after the other, while they are renewed. */
    @Test
    void shouldFenceNothingOfOthersWhenSlotsAreRevokedOneAfterTheOtherAndAnswersTakeLong() {
        Replicated replica = bench.replica(settings("b", List.of(Bench.sno(64), muid), Map.of("sno", 14)))
                .step();
        List<Tenure> tenures = replica.slots(0).tenures();
        AtomicInteger revoked = new AtomicInteger();
        bench.advance(Duration.ofMillis(2_500));
        replica.client.answering(() -> {
            bench.advance(FAR);
            int next = revoked.getAndIncrement();
            if (next < tenures.size()) {
                bench.zookeeper.delete(Bench.TREE.lease(tenures.get(next).slot()));
            }
        });
        replica.stepFor(Duration.ofSeconds(10));
        assertEquals(0, fences(replica, 1, FenceReason.DEADLINE_PASSED));
    }

    /** What may not be given back is tried again and again, slot by slot. Meanwhile another scheme loses its slot. */
    @Test
    void shouldClaimSoonWhenManySlotsMayNotBeGivenBackAndAnswersTakeLong() {
        Scheme<?> sno = Bench.sno(64);
        List<Scheme<?>> schemes = List.of(muid, sno);
        Replicated replica =
                bench.replica(settings("b", schemes, Map.of("sno", 8))).step();
        far(replica);
        bench.zookeeper.forbid(path -> path.startsWith("/ids/sno/"));
        replica.letPass(Duration.ofSeconds(30));
        assertClaimsAnotherSlotSoon(replica);
    }

    /** The operator wants the replica to have other slots than it has. */
    @Test
    void shouldHoldNoneOfTheSlotsThatWereToBeChanged() {
        for (int i = 0; i < 8; i++) {
            Replicated replica = new Bench()
                    .replica(settings("b" + i, List.of(Bench.sno(4)), Map.of("sno", 2)))
                    .step();
            Set<String> before = slots(replica);
            CompletableFuture<List<Rotated>> rotated = rotate(replica, 0);
            replica.step();
            Set<String> after = slots(replica);
            after.retainAll(before);
            assertEquals(Set.of(), after, () -> rotated.join().toString());
        }
    }

    private static Set<String> slots(Replicated replica) {
        return replica.slots(0).tenures().stream()
                .map(tenure -> tenure.slot().name())
                .collect(Collectors.toSet());
    }

    /** Something breaks that nobody foresaw. */
    @Test
    void shouldAnswerAnOrderWhenAStepFailsUnforeseen() {
        Replicated replica = bench.replica("a", Bench.sno(4), muid).step();
        CompletableFuture<List<Rotated>> rotated = rotate(replica, 0);
        replica.whenBitsAreDrawn(() -> {
            throw new IllegalStateException("unforeseen");
        });
        for (int i = 0; i < 20; i++) {
            try {
                var unused = replica.loop.step();
            } catch (IllegalStateException e) {
                // tried again
            }
        }
        assertTrue(rotated.isDone());
    }

    /** An operator changes many slots, and another scheme loses its own. */
    @Test
    void shouldClaimSoonWhileSlotsAreChangedAndAnswersTakeLong() {
        Replicated replica = bench.replica(settings("b", List.of(muid, Bench.sno(64)), Map.of("sno", 16)))
                .step();
        far(replica);
        CompletableFuture<List<Rotated>> rotated = rotate(replica, 1);
        replica.stepFor(Duration.ofSeconds(1));
        assertClaimsAnotherSlotSoon(replica);
        assertFalse(rotated.isCompletedExceptionally());
    }

    /** A pool's layout is deleted: the others are renewed in time while the replica begins a generation. */
    @Test
    void shouldAskFewTimesInEachStep() {
        List<Scheme<?>> schemes =
                List.of(Bench.sno(64), muid, new EightByteScheme(3), new Uid60Scheme(Duration.ofHours(1)));
        Map<String, Integer> leases = schemes.stream().collect(Collectors.toMap(Scheme::name, scheme -> 8));
        Replicated replica = bench.replica(settings("a", schemes, leases)).step();
        AtomicInteger answers = new AtomicInteger();
        far(replica);
        bench.zookeeper.delete("/ids/sno/layout");
        int most = 0;
        for (int i = 0; i < 100; i++) {
            replica.client.answering(() -> {
                bench.advance(FAR);
                answers.incrementAndGet();
            });
            answers.set(0);
            var unused = replica.loop.step();
            most = Math.max(most, answers.get());
        }
        int asked = most;
        long late = IntStream.range(1, 4)
                .mapToLong(i -> fences(replica, i, FenceReason.DEADLINE_PASSED))
                .sum();
        assertEquals(0, late, () -> "answers in a step: " + asked);
        assertTrue(asked <= 9, "answers in a step: " + asked);
    }

    /** Whatever happens, nothing is lost, no phase is left out, each order is answered, and no two IDs are equal. */
    @Test
    void shouldSurviveWhateverHappens() {
        int seeds = Integer.getInteger("loop.seeds", Proof.size(4, 10));
        for (int seed = 0; seed < seeds; seed++) {
            try {
                chaos(seed);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private static void stepOnce(Replicated replica) {
        var unused = replica.loop.step();
    }

    private static void chaos(int seed) {
        Random random = new Random(seed);
        Bench bench = new Bench();
        Scheme<?> sno = Bench.sno(8);
        List<Scheme<?>> schemes =
                List.of(sno, new MuidScheme(), new EightByteScheme(3), new Uid60Scheme(Duration.ofHours(1)));
        Map<String, Integer> leases = Map.of("sno", 2, "uid60", 2);
        List<Replicated> replicas = new ArrayList<>();
        for (String name : List.of("a", "b")) {
            replicas.add(bench.replica(settings(name, schemes, leases)));
        }
        Set<Sno> ids = new HashSet<>();
        List<CompletableFuture<List<Rotated>>> orders = new ArrayList<>();
        List<Fault> faults = List.of(
                Fault.REQUEST_LOST,
                Fault.ANSWER_LOST,
                Fault.REPEATED,
                Fault.RESENT,
                Fault.RESENT_ON_NEXT_SESSION,
                Fault.ABANDONED);
        int badness = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(60);
        for (Replicated replica : replicas) {
            replica.client.faults(call -> badness > 0 && random.nextInt(badness * 4) == 0
                    ? faults.get(random.nextInt(faults.size()))
                    : Fault.NONE);
            int millis = random.nextInt(300);
            replica.client.answering(() -> bench.advance(Duration.ofMillis(random.nextInt(millis + 1))));
        }
        for (int i = 0; i < 600; i++) {
            Replicated replica = replicas.get(random.nextInt(replicas.size()));
            stepOnce(replica);
            if (random.nextInt(3) == 0) {
                bench.advance(Duration.ofMillis(random.nextInt(400)));
            }
            if (random.nextInt(4) == 0 && replica.serves(0)) {
                try {
                    var unused = Draw.many(
                            replica.state.until(replica.slots(0)).current(),
                            2,
                            Variant.NONE,
                            (high, low) -> assertTrue(ids.add(new Sno(high, low)), "equal"));
                } catch (FencedException e) {
                    // none then
                }
            }
            switch (random.nextInt(150)) {
                case 0 -> orders.add(rotate(replica, random.nextInt(4)));
                case 1 -> Bench.drain(replica.state);
                case 2, 3, 4 -> replica.state.resume();
                case 5 -> {
                    List<Tenure> tenures = replica.slots(random.nextInt(4)).tenures();
                    if (!tenures.isEmpty()) {
                        bench.zookeeper.deleteNode(
                                Bench.TREE.lease(tenures.get(0).slot()));
                    }
                }
                case 6 -> bench.zookeeper.forbid(path -> path.startsWith("/ids/sno"));
                case 7 -> bench.zookeeper.forbid(path -> path.contains("leases"));
                case 8, 9, 10 -> {
                    bench.zookeeper.forbid(path -> false);
                    bench.zookeeper.hide(path -> false);
                }
                case 11 -> bench.zookeeper.hide(path -> path.startsWith("/ids/muid/records/"));
                case 12 -> replica.client.lagging(random.nextBoolean());
                case 13 -> replica.loop.fenceAll();
                case 14 -> bench.zookeeper.onTheWay().forEach(Runnable::run);
                case 15 -> bench.zookeeper.expire(replica.client.believedSession());
                default -> {}
            }
        }
        bench.zookeeper.forbid(path -> false);
        bench.zookeeper.hide(path -> false);
        for (Replicated replica : replicas) {
            replica.client.answer();
            replica.client.lagging(false);
            replica.client.answering(() -> bench.advance(Duration.ofMillis(20)));
            replica.state.resume();
        }
        for (int i = 0; i < 100; i++) {
            for (Replicated replica : replicas) {
                replica.stepFor(Duration.ofMillis(200));
            }
        }
        for (Replicated replica : replicas) {
            for (int i = 0; i < 4; i++) {
                int scheme = i;
                assertEquals(
                        replica.slots(i).keepers().size(),
                        replica.slots(i).tenures().size(),
                        () -> "seed " + seed + " scheme " + scheme + ": "
                                + replica.slots(scheme).keepers().get(0).fenced());
            }
        }
        for (CompletableFuture<List<Rotated>> order : orders) {
            assertTrue(order.isDone(), "seed " + seed);
        }
        List<Long> sessions =
                replicas.stream().map(r -> r.client.believedSession()).toList();
        for (long session : bench.zookeeper.sessions()) {
            if (!sessions.contains(session)) {
                bench.zookeeper.expire(session);
            }
        }
        for (Replicated replica : replicas) {
            ServingState.Drain drain = Bench.drain(replica.state);
            replica.stepFor(Duration.ofSeconds(3));
            assertTrue(Bench.hasGivenBack(drain), "seed " + seed);
        }
        for (Scheme<?> scheme : schemes) {
            assertEquals(List.of(), bench.leases(scheme.pool().orElseThrow()), "seed " + seed);
        }
    }

    /** Orders, losses and races, but no fault of ZooKeeper: each answer takes long, and nothing is late. */
    @Test
    void shouldBeInTimeWhateverIsAskedForWhenAnswersTakeLong() {
        int most = 0;
        for (int seed = 0; seed < Integer.getInteger("loop.seeds", Proof.size(4, 10)); seed++) {
            try {
                most = Math.max(most, busyMinutes(seed));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertTrue(most <= 6, "most answers in a step: " + most);
    }

    private int busyMinutes(int seed) {
        Random random = new Random(seed);
        Bench busy = new Bench();
        List<Scheme<?>> schemes =
                List.of(Bench.sno(16), muid, new EightByteScheme(3), new Uid60Scheme(Duration.ofHours(1)));
        Map<String, Integer> leases = Map.of("sno", 7, "muid", 5, "eightbyte", 5, "uid60", 5);
        Replicated near = busy.replica(settings("near", schemes, leases)).step();
        Replicated replica = busy.replica(settings("far", schemes, leases));
        int[] answers = {0};
        int[] most = {0};
        replica.client.answering(() -> {
            busy.advance(FAR);
            answers[0]++;
            for (int i = 0; i < 3; i++) {
                var unused = near.loop.step();
            }
            switch (random.nextInt(80)) {
                case 0 -> {
                    var unused = rotate(near, random.nextInt(4));
                }
                case 1 -> {
                    var unused = rotate(replica, random.nextInt(4));
                }
                case 2, 3 -> {
                    List<Tenure> tenures = replica.slots(random.nextInt(4)).tenures();
                    if (!tenures.isEmpty()) {
                        busy.zookeeper.deleteNode(Bench.TREE.lease(
                                tenures.get(random.nextInt(tenures.size())).slot()));
                    }
                }
                default -> {}
            }
        });
        long end = busy.now().plusSeconds(120).toEpochMilli();
        while (busy.now().toEpochMilli() < end) {
            answers[0] = 0;
            long pause = replica.loop.step();
            most[0] = Math.max(most[0], answers[0]);
            busy.advance(Duration.ofNanos(Math.min(pause, 3_000_000_000L)));
        }
        for (int i = 0; i < 4; i++) {
            Map<FenceReason, Long> fenced = replica.slots(i).counts().fences().entrySet().stream()
                    .filter(e -> e.getValue() > 0)
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
            assertEquals(0, fenced.getOrDefault(FenceReason.DEADLINE_PASSED, 0L), fenced + ", most " + most[0]);
        }
        return most[0];
    }

    /**
     * Whatever is the matter with any one node of a scheme, before the replica starts or while it serves: the other
     * scheme is served.
     */
    @Test
    void shouldServeOneSchemeWhateverIsTheMatterWithANodeOfTheOther() {
        List<String> bad = new ArrayList<>();
        for (Scheme<?> sick : List.of(Bench.sno(4), new Uid60Scheme(Duration.ofHours(1)), new EightByteScheme(3))) {
            for (boolean serving : List.of(false, true)) {
                Bench sound = new Bench();
                beside(sound, sick, serving);
                for (int node = 0; node < nodes(sound, sick).size(); node++) {
                    for (String how : List.of("hidden", "forbidden", "deleted", "garbled", "empty")) {
                        harm(sick, node, how, serving, bad);
                    }
                }
            }
        }
        assertEquals(List.of(), bad);
    }

    /** A replica of two schemes beside another one, which may have begun to serve. */
    private Replicated beside(Bench on, Scheme<?> sick, boolean serving) {
        List<Scheme<?>> schemes = List.of(sick, muid);
        on.replica(settings("a", schemes, Map.of())).step();
        Replicated replica = on.replica(settings("b", schemes, Map.of(sick.name(), 2)));
        return serving ? replica.step() : replica;
    }

    /** As many each time, some with other names. */
    private static List<String> nodes(Bench on, Scheme<?> of) {
        return on.zookeeper.tree().keySet().stream()
                .filter(path -> path.startsWith("/ids/" + of.name()))
                .toList();
    }

    private void harm(Scheme<?> sick, int node, String how, boolean serving, List<String> bad) {
        Bench harmed = new Bench();
        Replicated replica = beside(harmed, sick, serving);
        String path = nodes(harmed, sick).get(node);
        switch (how) {
            case "hidden" -> harmed.zookeeper.hide(path::equals);
            case "forbidden" -> harmed.zookeeper.forbid(each -> each.startsWith(path));
            case "deleted" -> harmed.zookeeper.delete(path);
            case "garbled" -> harmed.zookeeper.set(path, "{\"garbled\":");
            default -> harmed.zookeeper.set(path, "");
        }
        try {
            replica.stepFor(Duration.ofSeconds(6));
            if (serving) {
                replica.slots(1).tenures().forEach(tenure -> harmed.zookeeper.delete(Bench.TREE.lease(tenure.slot())));
                replica.stepFor(Duration.ofSeconds(6));
            }
            boolean rolledBack =
                    replica.slots(1).tenures().isEmpty() && replica.refusal(1).reason() == FenceReason.ROLLED_BACK;
            if (!replica.serves(1) && !rolledBack) {
                bad.add(path + " " + how + (serving ? " while it serves" : " before") + ": " + replica.why(1));
            }
        } catch (RuntimeException | AssertionError e) {
            bad.add(path + " " + how + (serving ? " while it serves" : " before") + ": " + e);
        }
    }

    /**
     * The same with whole parts of the pool, where answers take long: nothing of the other scheme is late, and it is
     * claimed soon.
     */
    @Test
    void shouldKeepOneSchemeInTimeWhateverIsTheMatterWithTheOtherWhenAnswersTakeLong() {
        List<String> bad = new ArrayList<>();
        for (String part : List.of("/ids/sno", "/ids/sno/records", "/ids/sno/leases", "/ids/sno/layout")) {
            for (String how : List.of(
                    "hidden", "forbidden", "garbled", "leases go", "records are written", "full of strange leases")) {
                for (boolean serving : List.of(false, true)) {
                    slowHarm(part, how, serving, bad);
                }
            }
        }
        assertEquals(List.of(), bad);
    }

    private void slowHarm(String part, String how, boolean serving, List<String> bad) {
        Bench harmed = new Bench();
        List<Scheme<?>> schemes = List.of(Bench.sno(16), muid);
        harmed.replica(settings("a", schemes, Map.of())).step();
        Replicated replica = harmed.replica(settings("b", schemes, Map.of("sno", 12)));
        if (serving) {
            replica.step();
        }
        replica.client.answering(() -> harmed.advance(FAR));
        List<String> paths = harmed.zookeeper.tree().keySet().stream()
                .filter(path -> path.startsWith(part))
                .toList();
        String what = part + " " + how + (serving ? " while it serves: " : " before: ");
        switch (how) {
            case "hidden" -> harmed.zookeeper.hide(path -> path.startsWith(part));
            case "forbidden" -> harmed.zookeeper.forbid(path -> path.startsWith(part));
            case "garbled" -> paths.forEach(path -> harmed.zookeeper.set(path, "{"));
            case "leases go" ->
                paths.stream()
                        .filter(path -> path.startsWith("/ids/sno/leases/"))
                        .forEach(harmed.zookeeper::delete);
            case "records are written" ->
                paths.stream()
                        .filter(path -> path.startsWith("/ids/sno/records/"))
                        .forEach(path -> harmed.zookeeper.set(path, harmed.data(path)));
            default ->
                IntStream.range(0, 16).forEach(slot -> {
                    String lease = "/ids/sno/leases/" + String.format("%02d", slot);
                    harmed.zookeeper.delete(lease);
                    harmed.zookeeper.create(lease, "", 0);
                });
        }
        try {
            replica.stepFor(Duration.ofSeconds(40));
            int seconds = 0;
            if (!replica.serves(1)) {
                bad.add(what + "not served after 40 s: " + replica.why(1));
                return;
            }
            harmed.zookeeper.delete(Bench.TREE.lease(replica.tenure(1).slot()));
            replica.letPass(Duration.ofSeconds(3));
            for (; !replica.serves(1) && seconds < 200; seconds++) {
                replica.letPass(Duration.ofSeconds(1));
            }
            if (seconds > 15) {
                bad.add(what + "claimed after " + seconds + " s");
            }
            if (fences(replica, 1, FenceReason.DEADLINE_PASSED) > 0) {
                bad.add(what + "late");
            }
        } catch (RuntimeException | AssertionError e) {
            bad.add(what + e);
        }
    }
}
