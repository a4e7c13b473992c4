package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.settings.LeaseBounds;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.testing.SmallPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many slots a replica holds, as its callers come and go. */
final class DemandTest {
    private static final int TICK = 1_024;
    private static final Duration STEP = Duration.ofMillis(250);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = new Bench();

    private static Scheme<?> workers(int slots) {
        return SmallPool.of(new Uid60Scheme(Duration.ofHours(1)), slots);
    }

    private Replicated replica(String name, Scheme<?> scheme, int min, int max) {
        return bench.replica(
                Bench.settings(name, List.of(scheme)).withLeases(Map.of(scheme.name(), new LeaseBounds(min, max))));
    }

    /**
     * Lets time pass, in which callers of each replica ask for so many each second. What they do not get they ask for again, for
     * two seconds at most.
     */
    private void pass(Duration time, int perSecond, Replicated... replicas) {
        int perStep = (int) (perSecond * STEP.toMillis() / 1_000);
        int[] wait = new int[replicas.length];
        for (long i = 0; i < time.toNanos() / STEP.toNanos(); i++) {
            for (int each = 0; each < replicas.length; each++) {
                int wanted = Math.min(wait[each], 2 * perSecond) + perStep;
                wait[each] = wanted > 0 ? wanted - replicas[each].draw(wanted) : 0;
                replicas[each].stepFor(Duration.ZERO);
            }
            bench.advance(STEP);
        }
    }

    private static int held(Replicated replica) {
        return replica.group().tenures().size();
    }

    private static void retire(Bench bench, Scheme<?> scheme, long slot) {
        var unused = ClusterView.on(bench.access(scheme)).retire(scheme, slot);
    }

    @Test
    void shouldHoldMinWhenNobodyWaits() {
        Replicated replica = replica("a", workers(8), 2, 5).step();
        assertEquals(2, held(replica));
        pass(MINUTE, TICK, replica);
        assertEquals(2, held(replica));
    }

    /** All that eight workers have: 8,192 IDs a second, none of them twice. */
    @Test
    void shouldReachTheCapOfEightWorkersWhenCallersKeepWaiting() {
        Replicated replica = replica("a", workers(512), 1, 8).step();
        assertEquals(1, held(replica));
        pass(Duration.ofSeconds(20), 20 * TICK, replica);
        assertEquals(8, held(replica));
        long[] ids = new long[8 * TICK * 70];
        int[] count = {0};
        for (int i = 0; i < 600; i++) {
            var unused = replica.group().current().draw(20 * TICK, Variant.NONE, (high, low) -> ids[count[0]++] = low);
            replica.stepFor(Duration.ZERO);
            bench.advance(Duration.ofMillis(100));
        }
        assertTrue(count[0] >= 0.99 * 8 * TICK * 60, "in a minute " + count[0]);
        assertEquals(count[0], Arrays.stream(ids, 0, count[0]).distinct().count());
    }

    @Test
    void shouldTakeOneSlotInAWindowSoThatBurstTakesFew() {
        Replicated replica = replica("a", workers(512), 1, 8).step();
        pass(Duration.ofSeconds(2), 20 * TICK, replica);
        pass(Duration.ofSeconds(1), 0, replica);
        assertEquals(2, held(replica));
    }

    @Test
    void shouldTakeNoneWhenTicksAreUsedUpForLessThanHalfOfTheTime() {
        Replicated replica = replica("a", workers(512), 1, 8).step();
        for (int i = 0; i < 60; i++) {
            pass(Duration.ofMillis(750), TICK, replica); // three quarters of a second's numbers
            replica.draw(TICK / 2); // and what is left in its last quarter
            pass(STEP, 0, replica);
        }
        assertEquals(1, held(replica));
    }

    /** All slots are used up in the last quarters of each tick. */
    @ParameterizedTest
    @CsvSource({"1, 1, 1", "1, 3, 2", "2, 1, 2", "2, 2, 3", "4, 1, 5"})
    void shouldTakeAFurtherSlotWhereCallersWouldUseItUp(int slots, int quarters, int expected) {
        Replicated replica = replica("a", workers(512), slots, slots + 1).step();
        for (int i = 0; i < 10; i++) {
            pass(STEP.multipliedBy(4 - quarters), 0, replica);
            var unused = replica.draw(held(replica) * TICK + 1);
            pass(STEP.multipliedBy(quarters), 0, replica);
        }
        assertEquals(expected, held(replica));
    }

    /** Else a replica would claim a slot, give it back after a minute, and claim it again. */
    @Test
    void shouldNeverBeQuietWhereOneMoreIsWanted() {
        Demand.Rules rules = Demand.Rules.USUAL;
        long window = rules.window().toNanos();
        for (int slots = 1; slots < LeaseBounds.LARGEST; slots++) {
            assertFalse(rules.keepWaiting(window / rules.quietPart(), window, slots), "of " + slots);
        }
    }

    /** Callers wait for two fifths of the time: enough where they draw from two slots, and not where they draw from one. */
    @Test
    void shouldCountNoSlotThatCannotBeClaimed() {
        Scheme<?> scheme = workers(2);
        Replicated replica = replica("a", scheme, 1, 2).step();
        SlotPool pool = scheme.pool().orElseThrow();
        long other = 1 - replica.tenure().slot().number();
        String unreadable = Bench.TREE.records(pool) + "/" + pool.nameOf(other);
        bench.zookeeper.ensure(unreadable);
        pass(Duration.ofSeconds(4), 20 * TICK, replica);
        assertEquals(2, replica.group().size()); // wants another, and cannot claim it
        for (int i = 0; i < 20; i++) {
            if (i == 10) {
                bench.zookeeper.delete(unreadable);
            }
            pass(Duration.ofMillis(500), 0, replica);
            bench.advance(Duration.ofMillis(100));
            replica.draw(2 * TICK);
            bench.advance(Duration.ofMillis(150));
            pass(STEP, 0, replica);
        }
        assertEquals(1, held(replica));
    }

    @Test
    void shouldGiveTheNewestSlotBackAfterAQuietMinute() {
        Replicated replica = replica("a", workers(512), 1, 3).step();
        pass(Duration.ofSeconds(10), 20 * TICK, replica);
        List<Tenure> all = replica.group().tenures();
        assertEquals(3, all.size());
        pass(Duration.ofSeconds(55), TICK, replica);
        assertEquals(all, replica.group().tenures(), "not before the minute is over");
        pass(Duration.ofSeconds(10), TICK, replica);
        assertEquals(all.subList(0, 2), replica.group().tenures());
        assertEquals(FenceReason.RELEASED, Bench.whyTripped(all.get(2)));
        SlotPool pool = all.get(2).pool();
        assertEquals(2, bench.leases(pool).size());
        assertTrue(bench.record(pool, all.get(2).slot().number()).released(), "in order");
        pass(MINUTE.plusSeconds(5), TICK, replica);
        assertEquals(all.subList(0, 1), replica.group().tenures());
        pass(MINUTE.plusSeconds(5), 1, replica);
        assertEquals(all.subList(0, 1), replica.group().tenures(), "never below min");
    }

    @Test
    void shouldKeepSlotWhenMinuteIsNotQuietThroughout() {
        Replicated replica = replica("a", workers(512), 1, 2).step();
        pass(Duration.ofSeconds(10), 20 * TICK, replica);
        for (int i = 0; i < 4; i++) {
            pass(Duration.ofSeconds(40), TICK / 2, replica);
            pass(Duration.ofSeconds(2), 2 * TICK, replica); // more than one slot has
        }
        assertEquals(2, held(replica));
    }

    /** Callers of one slot, and callers who wait for their turns, do not count as in need of the newest slot. */
    @Test
    void shouldNotBeQuietWhileCallersKeepWaiting() {
        Scheme<?> workers = workers(2);
        Replicated replica = replica("a", workers, 1, 2).step();
        replica("b", workers, 1, 2).step();
        pass(MINUTE.plusSeconds(10), 20 * TICK, replica);
        pass(Duration.ofSeconds(4), 0, replica);

        assertEquals(Demand.Verdict.SAME, replica.group().demand().look(1));
    }

    /** A renewal is due half a second later. */
    @Test
    void shouldLookAtTheDemandAsSoonAsItsWindowIsOver() {
        Replicated replica = replica("a", workers(512), 1, 2).stepFor(Duration.ZERO);
        for (int i = 0; i < 9; i++) {
            var unused = replica.draw(20 * TICK);
            replica.letPass(STEP);
        }

        assertEquals(2, held(replica));
    }

    /** Each answer may be waited for for seconds, in which no tenure is renewed. */
    @Test
    void shouldAskForNoFurtherSchemeWhenZooKeeperDoesNotAnswer() {
        List<Scheme<?>> both = List.of(workers(512), new EightByteScheme(4));
        LeaseBounds bounds = new LeaseBounds(1, 2);
        Replicated replica = bench.replica(
                        Bench.settings("a", both).withLeases(Map.of("uid60", bounds, "eightbyte", bounds)))
                .step();
        replica.group(0).grow();
        replica.group(1).grow();
        replica.step();
        bench.advance(Duration.ofSeconds(2));
        List<String> asked = new ArrayList<>();
        replica.client.faults(call -> {
            if (!call.startsWith("children") || !call.endsWith("/leases")) {
                return Fault.NONE;
            }
            asked.add(call);
            return Fault.REQUEST_LOST;
        });

        var unused = replica.loop.step();

        assertEquals(List.of("children /ids/uid60/leases"), asked);
    }

    /**
     * A demand between what two and what three slots have. What was taken beside three for those who had waited is given back; then
     * the third is neither given back nor followed by a fourth.
     */
    @Test
    void shouldNotSwing() {
        Replicated replica = replica("a", workers(512), 1, 8).step();
        Set<Integer> seen = new HashSet<>();
        pass(Duration.ofMinutes(4), 5 * TICK / 2 + 400, replica);
        for (int i = 0; i < 300; i++) {
            pass(Duration.ofSeconds(1), 5 * TICK / 2 + 400, replica);
            seen.add(held(replica));
        }
        assertEquals(Set.of(3), seen);
    }

    @Test
    void shouldLeaveOthersTheirMinWhenPoolIsNearlyFull() {
        Scheme<?> workers = workers(6);
        Replicated busy = replica("busy", workers, 1, 6).step();
        Replicated second = replica("second", workers, 1, 6);
        second.step();
        pass(Duration.ofSeconds(30), 20 * TICK, busy);
        assertEquals(4, held(busy), "one is held by the other, and one stays free");
        Replicated third = replica("third", workers, 1, 6).step();
        assertTrue(third.serves(), "at once");
    }

    @Test
    void shouldGiveSlotsBackWhenOthersLackTheirs() {
        Scheme<?> workers = workers(4);
        Replicated busy = replica("busy", workers, 1, 4).step();
        pass(Duration.ofSeconds(15), 20 * TICK, busy);
        assertEquals(4, held(busy), "it is alone");
        Replicated second = replica("second", workers, 1, 4).step();
        Replicated third = replica("third", workers, 1, 4).step();
        assertFalse(second.serves());
        for (int i = 0; i < 60; i++) {
            pass(STEP, 20 * TICK, busy);
            second.stepFor(Duration.ZERO);
            third.stepFor(Duration.ZERO);
        }
        assertTrue(second.serves());
        assertTrue(third.serves());
        pass(MINUTE, 20 * TICK, busy, second, third);
        assertEquals(3, bench.leases(workers.pool().orElseThrow()).size(), "one stays free for whoever comes next");
    }

    @Test
    void shouldShareFairlyWhenAllAreBusy() {
        Scheme<?> workers = workers(8);
        Replicated first = replica("first", workers, 1, 8).step();
        pass(Duration.ofSeconds(20), 20 * TICK, first);
        Replicated second = replica("second", workers, 1, 8).step();
        for (int i = 0; i < 40 && !second.serves(); i++) {
            pass(STEP, 20 * TICK, first);
            second.stepFor(Duration.ZERO);
        }
        pass(MINUTE, 20 * TICK, first, second);
        assertEquals(List.of(4, 4), List.of(held(first), held(second)));
    }

    /** A retired slot is no slot that anybody can have. */
    @Test
    void shouldCountRetiredSlotsOut() {
        Scheme<?> workers = workers(6);
        Replicated busy = replica("busy", workers, 1, 3).step();
        pass(Duration.ofSeconds(10), 20 * TICK, busy);
        assertEquals(3, held(busy));
        Set<String> leases = new HashSet<>(bench.leases(workers.pool().orElseThrow()));
        for (long slot = 0; slot < 6; slot++) {
            if (!leases.contains(workers.pool().orElseThrow().nameOf(slot))) {
                retire(bench, workers, slot);
            }
        }
        Replicated second = replica("second", workers, 1, 3).step();
        assertFalse(second.serves());
        for (int i = 0; i < 60; i++) {
            pass(STEP, 20 * TICK, busy);
            second.stepFor(Duration.ZERO);
        }
        assertTrue(second.serves());
    }

    @Test
    void shouldGoOnWithOthersWhenOneIsFenced() {
        Replicated replica = replica("a", workers(512), 1, 3).step();
        pass(Duration.ofSeconds(10), 20 * TICK, replica);
        List<Tenure> all = replica.group().tenures();
        bench.zookeeper.delete(Bench.TREE.lease(all.get(0).slot()));
        replica.step();
        assertEquals(FenceReason.LEASE_GONE, Bench.whyTripped(all.get(0)));
        assertEquals(all.subList(1, 3), replica.group().tenures());
        SchemeStatus status = replica.group().status(Bench.TREE);
        assertTrue(status.active());
        assertEquals(Optional.empty(), status.lacking(), "the least number is one");
        assertEquals(
                new SchemeStatus.Slots(2, new LeaseBounds(1, 3)), status.slots().orElseThrow());
        bench.advance(Duration.ofSeconds(1));
        assertEquals(2 * TICK, replica.draw(3 * TICK));
    }

    @Test
    void shouldSayWhatIsLackingWhenFewerThanMinServe() {
        Replicated replica = replica("a", workers(1), 1, 1).step();
        Scheme<?> two = workers(2);
        Bench other = new Bench();
        Replicated both = other.replica(
                        Bench.settings("b", List.of(two)).withLeases(Map.of("uid60", new LeaseBounds(2, 2))))
                .step();
        assertEquals(Optional.empty(), both.group().status(Bench.TREE).lacking());
        retire(other, two, both.tenure().slot().number());
        both.step();
        SchemeStatus status = both.group().status(Bench.TREE);
        assertTrue(status.active(), "the other slot serves");
        assertEquals(1, status.slots().orElseThrow().serving());
        assertEquals(FenceReason.NO_FREE_SLOT, status.lacking().orElseThrow().reason());
        assertEquals(1, replica.group().status(Bench.TREE).slots().orElseThrow().serving());
    }

    /** With the session all slots are lost. What the demand needs beyond min, it claims again. */
    @Test
    void shouldClaimMinAtOnceAndTheRestByDemandWhenSessionIsLost() {
        Replicated replica = replica("a", workers(512), 2, 6).step();
        pass(Duration.ofSeconds(15), 20 * TICK, replica);
        assertEquals(6, held(replica));
        bench.zookeeper.expire(replica.client.session());
        replica.loop.sessionLost();
        replica.stepFor(Duration.ofSeconds(1));
        assertEquals(2, held(replica));
        pass(Duration.ofSeconds(15), 20 * TICK, replica);
        assertEquals(6, held(replica));
    }

    /** A slot of min that cannot be claimed is a claim under way, and there is one at a time. */
    @Test
    void shouldWantNoneAboveMinWhileOneOfMinIsLacking() {
        Replicated replica = replica("a", workers(8), 2, 8).step();
        bench.zookeeper.forbid(path -> path.contains("/leases/") || path.contains("/index"));
        bench.zookeeper.delete(Bench.TREE.lease(replica.group().tenures().get(0).slot()));
        for (int i = 0; i < 60; i++) {
            pass(STEP, 20 * TICK, replica);
            assertEquals(2, replica.group().size());
        }
        assertEquals(1, held(replica));
        assertTrue(replica.serves());
    }

    /** What could not be claimed while callers waited is not claimed for nobody. */
    @Test
    void shouldGiveUpTheClaimWhenNobodyWaitsAnyMore() {
        Replicated replica = replica("a", workers(8), 1, 8).step();
        bench.zookeeper.forbid(path -> path.contains("/leases/") || path.contains("/index"));
        pass(Duration.ofSeconds(10), 20 * TICK, replica);
        assertEquals(2, replica.group().size());
        pass(Duration.ofSeconds(5), 0, replica);
        bench.zookeeper.forbid(path -> false);
        pass(Duration.ofSeconds(5), 0, replica);
        assertEquals(1, replica.group().size());
        assertEquals(1, held(replica));
    }

    /** Who has just given a slot back for others leaves it to them, also where it is free again meanwhile. */
    @Test
    void shouldTakeNoneBeyondItsShareForAMinuteAfterGivingOneBackForOthers() {
        Scheme<?> workers = workers(8);
        Replicated busy = replica("busy", workers, 1, 8).step();
        Replicated second = replica("second", workers, 1, 8).step();
        Replicated third = replica("third", workers, 1, 8).step();
        passBusy(Duration.ofSeconds(20), busy, second, third);
        assertEquals(5, held(busy), "one stays free");
        Replicated fourth = replica("fourth", workers, 1, 8).step();
        passBusy(Duration.ofSeconds(5), busy, second, third, fourth);
        assertEquals(4, held(busy));
        fourth.loop.close();
        passBusy(Duration.ofSeconds(50), busy, second, third);
        assertEquals(4, held(busy));
        passBusy(Duration.ofSeconds(15), busy, second, third);
        assertEquals(5, held(busy));
    }

    /** Lets time pass in which callers of one replica want all that there is, and nobody asks the others. */
    private void passBusy(Duration time, Replicated busy, Replicated... idle) {
        for (long i = 0; i < time.toNanos() / STEP.toNanos(); i++) {
            pass(STEP, 20 * TICK, busy);
            for (Replicated each : idle) {
                each.stepFor(Duration.ZERO);
            }
        }
    }

    /** That two slots would have done for a minute says nothing of one. */
    @Test
    void shouldBeginTheMinuteAnewWhenASlotIsLost() {
        Replicated replica = replica("a", workers(512), 1, 3).step();
        pass(Duration.ofSeconds(10), 20 * TICK, replica);
        pass(Duration.ofSeconds(50), TICK / 2, replica);
        assertEquals(3, held(replica));
        bench.zookeeper.delete(Bench.TREE.lease(replica.group().tenures().get(1).slot()));
        pass(Duration.ofSeconds(50), TICK / 2, replica);
        assertEquals(2, held(replica));
        pass(Duration.ofSeconds(15), TICK / 2, replica);
        assertEquals(1, held(replica));
    }

    /** A claim that ZooKeeper answers late counts as a slot, and so does one that it refuses for a while. */
    @Test
    void shouldCountClaimInFlight() {
        Scheme<?> workers = workers(8);
        Replicated replica = replica("a", workers, 1, 8).step();
        bench.zookeeper.forbid(path -> path.contains("/leases/") || path.contains("/index"));
        pass(Duration.ofSeconds(30), 20 * TICK, replica);
        assertEquals(1, held(replica));
        assertTrue(replica.group().size() <= 2, "one claim at a time");
        assertTrue(replica.serves(), "a claim above min that fails harms nothing");
    }

    @Test
    void shouldDrawStraightFromTheSlotWhenThereIsOneAtMost() {
        Replicated replica = replica("a", workers(8), 1, 1).step();
        Generator generator = replica.group().current();
        assertSame(replica.tenure().generator(), generator);
        Replicated spread = replica("b", workers(8), 1, 2).step();
        assertNotEquals(spread.tenure().generator(), spread.group().current());
        assertSame(spread.group().current(), spread.group().current(), "callers compare");
    }

    /** A worker ID's hour ends. Another is claimed before, for each slot by itself, and callers notice nothing. */
    @Test
    void shouldSwapEachSlotWhenItsTenureEnds() {
        Scheme<?> workers = SmallPool.of(new Uid60Scheme(Duration.ofSeconds(20)), 16);
        Replicated replica = replica("a", workers, 1, 3).step();
        pass(Duration.ofSeconds(10), 20 * TICK, replica);
        assertEquals(3, held(replica));
        for (int i = 0; i < 240; i++) {
            pass(STEP, 20 * TICK, replica);
            assertEquals(3, held(replica));
        }
    }

    /** An answer is lost while the slot is claimed that the demand needs: the claim is found, or made again. */
    @Test
    void shouldForgetNoClaimWhenAnswerIsLost() {
        Scheme<?> workers = workers(8);
        Replicated replica = replica("a", workers, 1, 2).step();
        String renewal = "multi " + Bench.TREE.record(replica.tenure().slot());
        int[] claims = {0};
        replica.client.faults(
                call -> call.startsWith("multi /ids/uid60/records") && !call.equals(renewal) && claims[0]++ == 0
                        ? Fault.ANSWER_LOST
                        : Fault.NONE);
        pass(Duration.ofSeconds(10), 20 * TICK, replica);
        assertTrue(claims[0] > 0);
        assertEquals(2, held(replica));
        assertEquals(2, bench.leases(workers.pool().orElseThrow()).size());
    }
}
