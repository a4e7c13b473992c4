package org.idallocator.ensembles;

import static org.idallocator.core.testing.HangGuard.await;
import static org.idallocator.ensembles.TestReplicas.awaitFenced;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.testing.Caller;
import org.idallocator.zk.testing.DuplicateChecker;
import org.idallocator.zk.testing.ZooKeepers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** As many replicas as there are worker IDs, all at the same time, each with a ZooKeeper session of its own. */
@Isolated("claims within seconds")
@ProofOnly("needs 512 replicas, and the machine for itself")
class WorkerIdsIT {
    private static final int WORKERS = 512;
    private static final Uid60Scheme UID = new Uid60Scheme(Duration.ofHours(1));
    private static final SnoScheme ONE_SLOT = new SnoScheme(0, 1, 1);
    private static final Duration SESSION = Duration.ofSeconds(30);
    private static final Duration LONGEST_CLAIM = Duration.ofSeconds(1);

    /**
     * What two processors give in half a minute; this program's alone, as what else the machine does does not count.
     */
    private static final Duration MOST_PROCESSOR = Duration.ofSeconds(60);

    @Test
    void shouldGiveEveryReplicaAnotherWorkerIdWhenAllClaimAtOnce() {
        try (ZooKeepers zookeeper = ZooKeepers.alone()) {
            TestReplicas replicas = TestReplicas.of(zookeeper.connectString(), SESSION);
            long from = System.nanoTime();
            long processorFrom = processorNanos();
            List<IdAllocator> allocators = IntStream.range(0, WORKERS)
                    .parallel()
                    .mapToObj(i -> replicas.connect(UID))
                    .toList();
            try {
                await().until(() -> allocators.stream().allMatch(WorkerIdsIT::serves));
                long tookMillis = (System.nanoTime() - from) / 1_000_000;
                long processorMillis = (processorNanos() - processorFrom) / 1_000_000;
                System.out.printf(
                        "%d worker IDs were claimed within %d ms, with %d ms of a processor%n",
                        WORKERS, tookMillis, processorMillis);
                assertEquals(
                        WORKERS,
                        allocators.stream().map(WorkerIdsIT::worker).distinct().count());
                assertTrue(processorMillis < MOST_PROCESSOR.toMillis(), processorMillis + " ms");
                requireFull(replicas);
            } finally {
                TestReplicas.closeAll(allocators);
            }
        }
    }

    @Test
    void shouldClaimAReleasedSlotWithinASecond() {
        DuplicateChecker checker = new DuplicateChecker();
        try (ZooKeepers zookeeper = ZooKeepers.alone()) {
            TestReplicas replicas = TestReplicas.of(zookeeper.connectString(), SESSION);
            IdAllocator leaving = replicas.connect(ONE_SLOT);
            try (Caller holder = TestReplicas.calling(leaving, ONE_SLOT, checker);
                    IdAllocator late = replicas.connect(ONE_SLOT);
                    Caller caller = Caller.of(late.sno(), checker)) {
                await().until(() -> holder.issuing() && caller.refused(FenceReason.NO_FREE_SLOT));
                long from = System.nanoTime();
                leaving.close();
                await().until(caller::issuing);
                long tookMillis = (caller.issued().get(0).fromNanos() - from) / 1_000_000;
                assertTrue(tookMillis < LONGEST_CLAIM.toMillis(), tookMillis + " ms");
            }
        }
        checker.requireNone();
    }

    private static long processorNanos() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
    }

    private static void requireFull(TestReplicas replicas) {
        try (IdAllocator late = replicas.connect(UID)) {
            awaitFenced(late, UID, FenceReason.NO_FREE_SLOT);
        }
    }

    private static boolean serves(IdAllocator allocator) {
        return allocator.status(UID).active();
    }

    /** The worker ID, as an ID shows it. */
    private static int worker(IdAllocator allocator) {
        return allocator.uid60().next().worker();
    }
}
