package org.idallocator.ensembles;

import static org.idallocator.core.testing.HangGuard.await;
import static org.idallocator.ensembles.TestReplicas.awaitActive;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.testing.Caller;
import org.idallocator.zk.testing.DuplicateChecker;
import org.idallocator.zk.testing.ZooKeepers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** One replica more than there are generator IDs in a cluster of eightbyte: it waits, and claims a released one. */
@Isolated("claims a released slot within a second")
@ProofOnly("needs 65 replicas, and the machine for itself")
class PoolFullIT {
    private static final int GENERATORS = 64;
    private static final EightByteScheme EIGHT = new EightByteScheme(3);
    private static final SnoScheme SNO = new SnoScheme(0, 256, 4);
    private static final Duration SESSION = Duration.ofSeconds(10);
    private static final Duration LONGEST_CLAIM = Duration.ofSeconds(1);

    @AutoClose
    private static final ZooKeepers ZOOKEEPER = ZooKeepers.alone();

    private final List<IdAllocator> allocators = new ArrayList<>();

    @AfterEach
    void closeAll() {
        TestReplicas.closeAll(allocators);
    }

    @Test
    void shouldSayWhoHoldsTheSlotsAndServeTheRestAndClaimAReleasedOneWithinASecond() {
        TestReplicas replicas = TestReplicas.of(ZOOKEEPER.connectString(), SESSION);
        for (int i = 0; i < GENERATORS; i++) {
            allocators.add(replicas.connect(EIGHT));
        }
        await().until(() -> allocators.stream().allMatch(PoolFullIT::serves));
        assertEquals(
                GENERATORS, allocators.stream().map(PoolFullIT::slot).distinct().count());

        IdAllocator late = replicas.connect(EIGHT, SNO);
        allocators.add(late);
        await().until(() -> refusal(late).reason() == FenceReason.NO_FREE_SLOT);
        String message = String.valueOf(refusal(late).getMessage());
        assertTrue(message.matches(".*eightbyte has 64 slots: 00 by replica-\\d+, .* and 61 more.*"), message);
        assertEquals(100, drawn(late));

        assertClaimsWhatIsReleased(late, allocators.get(17));
    }

    private static void assertClaimsWhatIsReleased(IdAllocator late, IdAllocator leaving) {
        String slot = slot(leaving);
        DuplicateChecker checker = new DuplicateChecker();
        try (Caller leavingCaller = Caller.of(leaving.eightbyte(), checker);
                Caller caller = Caller.of(late.eightbyte(), checker)) {
            await().until(leavingCaller::issuing);
            long from = System.nanoTime();
            leaving.close();
            await().until(caller::issuing);
            long tookMillis = (caller.issued().get(0).fromNanos() - from) / 1_000_000;
            System.out.printf("a released slot was claimed after %d ms%n", tookMillis);
            assertEquals(slot, slot(late));
            assertTrue(tookMillis < LONGEST_CLAIM.toMillis(), tookMillis + " ms");
        }
        checker.requireNone();
    }

    private static long drawn(IdAllocator allocator) {
        awaitActive(allocator, SNO);
        DuplicateChecker checker = new DuplicateChecker();
        allocator.sno().next(100, checker);
        checker.requireNone();
        return checker.seen();
    }

    private static boolean serves(IdAllocator allocator) {
        return allocator.status(EIGHT).active();
    }

    private static String slot(IdAllocator allocator) {
        return allocator.status(EIGHT).slot().orElseThrow().slot();
    }

    private static FencedException refusal(IdAllocator allocator) {
        return assertThrows(FencedException.class, () -> allocator.eightbyte().next());
    }
}
