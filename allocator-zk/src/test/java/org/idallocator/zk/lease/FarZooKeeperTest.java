package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.SlotRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A ZooKeeper that is far away: how many answers one waits for, one after the other, and that nothing is late. */
final class FarZooKeeperTest {
    private final Bench bench = new Bench();
    private final List<Scheme<?>> schemes =
            List.of(Bench.sno(64), new MuidScheme(), new EightByteScheme(3), new Uid60Scheme(Duration.ofHours(1)));

    private AllocatorSettings settings(String instance, int slots) {
        Map<String, Integer> leases = schemes.stream().collect(Collectors.toMap(Scheme::name, scheme -> slots));
        return Bench.settings(instance, schemes).withLeases(leases);
    }

    private boolean servesAll(Replicated replica, int slots) {
        return IntStream.range(0, schemes.size())
                .allMatch(i -> replica.slots(i).tenures().size() == slots);
    }

    /** On a root that exists: what is of one kind is asked for together. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void shouldServeAllSchemesWithinFewAnswersWhenStarted(int slots) {
        bench.replica(settings("a", 1)).step();
        Replicated replica = bench.replica(settings("b", slots));
        AtomicInteger answers = new AtomicInteger();
        replica.client.answering(answers::incrementAndGet);
        while (!servesAll(replica, slots)) {
            var unused = replica.loop.step();
        }
        assertTrue(answers.get() <= 17, answers::toString);
    }

    /** Slots are claimed, lost and renewed all the time, and each answer takes 300 ms: no deadline passes. */
    @Test
    void shouldFenceNothingButWhatIsLostWhenAnswersTakeLong() {
        bench.replica(settings("a", 4)).step();
        Replicated replica = bench.replica(settings("b", 4));
        replica.client.answering(() -> bench.advance(Duration.ofMillis(300)));
        int lost = 0;
        for (int second = 0; second < 60; second++) {
            replica.letPass(Duration.ofSeconds(1));
            List<Tenure> tenures = replica.slots(lost % schemes.size()).tenures();
            if (second % 4 == 3 && !tenures.isEmpty()) {
                String lease = Bench.TREE.lease(tenures.get(0).slot());
                lost += bench.zookeeper.node(lease).isPresent() ? 1 : 0;
                bench.zookeeper.delete(lease);
            }
        }
        replica.letPass(Duration.ofSeconds(10));
        assertTrue(lost > 10, "lost: " + lost);
        assertTrue(servesAll(replica, 4));
        long fenced = IntStream.range(0, schemes.size())
                .mapToLong(i -> fences(replica, i, FenceReason.LEASE_GONE))
                .sum();
        assertEquals(lost, fenced);
        assertFencedBy(replica, Set.of(FenceReason.LEASE_GONE));
    }

    /** Nothing is read of pools that refuse this replica: none of them may be claimed from. */
    @Test
    void shouldRefuseEachSchemeWhereAllPoolsAreCutOtherwise() {
        bench.replica("a", Bench.sno(64)).step();
        Replicated replica = bench.replica("b", Bench.sno(32)).step();
        assertEquals(FenceReason.LAYOUT_MISMATCH, replica.reason());
    }

    /** However many slots there are, and whatever must be asked for each of them. */
    @Test
    void shouldFenceNothingWhenManySlotsAreClaimedAndAnswersTakeLong() {
        bench.replica(settings("a", 1)).step();
        Replicated replica = bench.replica(settings("b", 16));
        replica.client.answering(() -> bench.advance(Duration.ofMillis(300)));
        replica.letPass(Duration.ofSeconds(20));
        assertTrue(servesAll(replica, 16));
        assertFencedBy(replica, Set.of());
    }

    /** Somebody takes the right to write to one slot away: the others are renewed all the same. */
    @Test
    void shouldFenceNothingButWhatIsForbiddenWhenAnswersTakeLong() {
        bench.replica(settings("a", 1)).step();
        Replicated replica = bench.replica(settings("b", 8)).step();
        replica.client.answering(() -> bench.advance(Duration.ofMillis(300)));
        Set<String> forbidden = replica.slots(0).tenures().stream()
                .map(tenure -> Bench.TREE.record(tenure.slot()))
                .collect(Collectors.toSet());
        bench.zookeeper.forbid(forbidden::contains);
        replica.letPass(Duration.ofSeconds(30));
        assertFencedBy(replica, Set.of(FenceReason.NO_PERMISSION));
        assertTrue(IntStream.range(1, schemes.size())
                .allMatch(i -> replica.slots(i).tenures().size() == 8));
    }

    /** Nobody can use another slot of a pool for a while, and every try asks for all of them. */
    @Test
    void shouldFenceNothingWhenFreeSlotsAllCoolAndAnswersTakeLong() {
        bench.replica(settings("a", 1)).step();
        Replicated replica = bench.replica(settings("b", 8)).step();
        SlotPool pool = schemes.get(0).pool().orElseThrow();
        long ahead = pool.unit().tickAt(replica.clock.micros()) + pool.unit().ticksIn(Duration.ofHours(1));
        for (String lost : bench.leases(pool)) {
            bench.zookeeper.delete(Bench.TREE.leases(pool) + "/" + lost);
        }
        for (long slot = 0; slot < pool.size(); slot++) {
            String record = Bench.TREE.records(pool) + "/" + pool.nameOf(slot);
            if (bench.zookeeper.node(record).isEmpty()) {
                bench.zookeeper.create(record, "", 0);
            }
            bench.zookeeper.set(record, Json.write(SlotRecord.reserved(pool.unit(), ahead, "somebody")));
        }
        replica.client.answering(() -> bench.advance(Duration.ofMillis(300)));
        replica.letPass(Duration.ofMinutes(1));
        assertEquals(FenceReason.COOLING, replica.reason());
        assertTrue(IntStream.range(1, schemes.size())
                .allMatch(i -> replica.slots(i).tenures().size() == 8));
        for (int i = 1; i < schemes.size(); i++) {
            assertEquals(
                    0,
                    replica.slots(i).counts().fences().values().stream()
                            .mapToLong(n -> n)
                            .sum());
        }
    }

    @Test
    void shouldGiveAllBackWithinFewAnswersWhenItStops() {
        bench.replica(settings("a", 1)).step();
        Replicated replica = bench.replica(settings("b", 4)).step();
        AtomicInteger answers = new AtomicInteger();
        replica.client.answering(answers::incrementAndGet);
        replica.loop.close();
        assertTrue(replica.loop.isClosed());
        assertTrue(answers.get() <= 4, answers::toString);
    }

    private void assertFencedBy(Replicated replica, Set<FenceReason> allowed) {
        for (int i = 0; i < schemes.size(); i++) {
            Set<FenceReason> reasons = replica.slots(i).counts().fences().entrySet().stream()
                    .filter(entry -> entry.getValue() > 0)
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
            assertTrue(allowed.containsAll(reasons), schemes.get(i).name() + ": " + reasons);
        }
    }

    private static long fences(Replicated replica, int scheme, FenceReason reason) {
        return replica.slots(scheme).counts().fences().getOrDefault(reason, 0L);
    }
}
