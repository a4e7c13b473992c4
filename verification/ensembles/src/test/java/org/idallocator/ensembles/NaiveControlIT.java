package org.idallocator.ensembles;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.CreateMode;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.Clients;
import org.idallocator.zk.testing.Caller;
import org.idallocator.zk.testing.DuplicateChecker;
import org.idallocator.zk.testing.TcpProxy;
import org.idallocator.zk.testing.ZooKeepers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The positive control of {@link FencingIT}. The same callers, checker and fault find duplicates in an allocator that does what
 * many do: it holds an ephemeral node, and stops when Curator says LOST. If none were found here, finding none there would
 * prove nothing.
 */
@Execution(ExecutionMode.CONCURRENT)
@ProofOnly("the control of those tests of FencingIT that are the proof's")
class NaiveControlIT {
    private static final SnoScheme ONE_SLOT = new SnoScheme(0, 1, 1);

    /** For two thirds of it both believe that they hold the slot: long, so that both get a processor meanwhile. */
    private static final Duration SESSION = Duration.ofSeconds(12);

    @Test
    void shouldFindDuplicatesWhenALeaseAloneKeepsSlotsApart() {
        DuplicateChecker checker = new DuplicateChecker();
        try (ZooKeepers zookeeper = ZooKeepers.alone();
                TcpProxy line = TcpProxy.to(zookeeper.address(0), Duration.ZERO);
                Naive cutOff = new Naive(line.address());
                Caller caller = calling(cutOff, checker)) {
            await().until(caller::issuing);
            try (Naive other = new Naive(zookeeper.address(0));
                    Caller otherCaller = calling(other, checker)) {
                line.blackhole();
                await().until(otherCaller::issuing);
                await().until(() -> caller.refused(FenceReason.SESSION_LOST));
            }
        }
        System.out.printf("the naive control issued %d IDs, %d of them twice%n", checker.seen(), checker.duplicates());
        assertTrue(checker.duplicates() > 0, "the control found no duplicates");
    }

    private static Caller calling(Naive naive, DuplicateChecker checker) {
        return Caller.of(ONE_SLOT.generator(naive, Duration.ofSeconds(1), Clock.system()), checker);
    }

    /** Issues while it believes that it holds the lease. The generator is the real one, but nothing bounds it. */
    private static final class Naive implements TenureSource<Generator>, AutoCloseable {
        private static final String LEASE = "/naive";

        private final CuratorFramework curator;
        private volatile @Nullable Generator generator;
        private volatile boolean lost;

        Naive(String connect) {
            curator = Clients.open(ZooKeeperSettings.of(connect).withSessionTimeout(SESSION));
            curator.getConnectionStateListenable().addListener((client, state) -> {
                lost |= state == ConnectionState.LOST;
            });
            curator.start();
        }

        @Override
        public Generator current() {
            if (lost) {
                throw FencedException.of(FenceReason.SESSION_LOST, "Curator says LOST");
            }
            Generator held = generator;
            return held == null ? claim() : held;
        }

        /** Claims on the thread that asks: there is one caller. */
        private Generator claim() {
            try {
                curator.create().withMode(CreateMode.EPHEMERAL).forPath(LEASE, new byte[0]);
            } catch (Exception e) {
                throw FencedException.of(FenceReason.NO_FREE_SLOT, String.valueOf(e.getMessage()));
            }
            Generator held = ONE_SLOT.open(0, Fence.unbounded(Clock.system(), 0, Long.MAX_VALUE));
            generator = held;
            return held;
        }

        @Override
        public void close() {
            curator.close();
        }
    }
}
