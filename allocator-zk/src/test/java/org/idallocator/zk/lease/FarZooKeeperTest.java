package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.settings.AllocatorSettings;
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
                .allMatch(i -> replica.group(i).tenures().size() == slots);
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
        assertTrue(answers.get() <= 17 + slots, answers::toString); // uid60 asks for a number for each slot
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
            List<Tenure> tenures = replica.group(lost % schemes.size()).tenures();
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
        for (FenceReason other : FenceReason.values()) {
            for (int i = 0; i < schemes.size() && other != FenceReason.LEASE_GONE; i++) {
                assertEquals(0, fences(replica, i, other), other.toString());
            }
        }
    }

    private static long fences(Replicated replica, int scheme, FenceReason reason) {
        return replica.group(scheme).counts().fences().getOrDefault(reason, 0L);
    }
}
