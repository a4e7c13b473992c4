package org.idallocator.zk;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.core.testing.crac.Core;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.DuplicateChecker;
import org.idallocator.zk.testing.LocalServer;
import org.idallocator.zk.testing.TcpProxy;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that go on from one checkpoint draw nothing twice: what was held is given up before it. */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CheckpointTest {
    @AutoClose
    private static final LocalServer SERVER = LocalServer.start();

    private final DuplicateChecker drawn = new DuplicateChecker();

    private static AllocatorSettings settings(String root, String connect) {
        AllocatorSettings settings = AllocatorSettings.of(
                        Schemes.of("sno", "gid"), ZooKeeperSettings.of(connect).withRoot(root))
                .withWindow(Duration.ofMinutes(1));
        FirstStart.withoutWaiting(settings);
        return settings;
    }

    private void draw(IdAllocator allocator) {
        allocator.sno().next(100, drawn);
    }

    private static void assertRefuses(IdAllocator allocator, FenceReason reason) {
        for (Scheme<?> scheme : allocator.schemes()) {
            FencedException refused = assertThrows(
                    FencedException.class, () -> allocator.generator(scheme).next());
            assertEquals(reason, refused.reason());
            assertEquals(Optional.of(reason), allocator.status(scheme).fenced().map(FencedException::reason));
        }
    }

    private static List<String> nonces(IdAllocator allocator) {
        return allocator.held().stream().map(HeldSlot::nonce).toList();
    }

    @Test
    void shouldHoldNothingMeanwhileAndOtherTenuresAfterwards() throws Exception {
        AllocatorSettings settings = settings("/nothing", SERVER.connect());
        try (IdAllocator allocator = IdAllocator.connect(settings);
                ClusterView seen = ClusterView.connect(settings)) {
            allocator.awaitReady(HangGuard.TIME);
            draw(allocator);
            List<String> before = nonces(allocator);
            System.gc(); // whoever tells of checkpoints keeps nobody alive

            Core.checkpoint(() -> {
                assertRefuses(allocator, FenceReason.CHECKPOINT);
                assertEquals(List.of(), allocator.held());
                assertTrue(seen.leases().stream().allMatch(lease -> lease.lease() == null), "given back");
                assertFalse(
                        Thread.getAllStackTraces().keySet().stream()
                                .anyMatch(thread -> thread.getName().equals("id-allocator-leases")),
                        "no thread goes on by itself");
            });

            allocator.awaitReady(HangGuard.TIME);
            draw(allocator);
            allocator.volumes().next();
            assertFalse(nonces(allocator).stream().anyMatch(before::contains));
        }
        drawn.requireNone();
    }

    /** Another process that goes on from the same checkpoint has the same settings, and nothing else. */
    @ProofOnly("seconds until ZooKeeper answers again")
    @Test
    void shouldDrawNothingTwiceWhenSeveralGoOn() throws Exception {
        AllocatorSettings settings = settings("/several", SERVER.connect());
        try (IdAllocator allocator = IdAllocator.connect(settings)) {
            allocator.awaitReady(HangGuard.TIME);
            draw(allocator);

            Core.checkpoint(() -> {});

            try (IdAllocator other = IdAllocator.connect(settings)) {
                other.awaitReady(HangGuard.TIME);
                allocator.awaitReady(HangGuard.TIME);
                for (int i = 0; i < 100; i++) {
                    draw(allocator);
                    draw(other);
                }
            }
        }
        drawn.requireNone();
    }

    /** What is in memory alone issues nothing: ZooKeeper has to give each process a slot of its own. */
    @ProofOnly("seconds until ZooKeeper answers again")
    @Test
    void shouldIssueNothingBeforeZooKeeperAnswersAgain() throws Exception {
        try (TcpProxy line = TcpProxy.to(SERVER.connect(), Duration.ZERO)) {
            AllocatorSettings settings = settings("/away", line.address());
            try (IdAllocator allocator = IdAllocator.connect(settings)) {
                allocator.awaitReady(HangGuard.TIME);
                draw(allocator);

                Core.checkpoint(line::blackhole);

                await().until(() -> allocator
                        .status(allocator.schemes().get(0))
                        .fenced()
                        .map(FencedException::reason)
                        .equals(Optional.of(FenceReason.UNREACHABLE)));
                assertThrows(FencedException.class, () -> allocator.sno().next());

                line.heal();
                allocator.awaitReady(HangGuard.TIME);
                draw(allocator);
            }
        }
        drawn.requireNone();
    }

    /** A drain outlives it, and so does the end. */
    @ProofOnly("seconds until ZooKeeper answers again")
    @Test
    void shouldStayDrainedOrClosed() throws Exception {
        AllocatorSettings settings = settings("/drained", SERVER.connect());
        try (IdAllocator allocator = IdAllocator.connect(settings)) {
            allocator.awaitReady(HangGuard.TIME);
            allocator.drain(HangGuard.TIME);

            Core.checkpoint(() -> assertRefuses(allocator, FenceReason.CHECKPOINT));

            assertRefuses(allocator, FenceReason.DRAINED);
            assertTrue(allocator.resume());
            allocator.awaitReady(HangGuard.TIME);
            Core.checkpoint(allocator::close);
            assertRefuses(allocator, FenceReason.CLOSED);
        }
    }
}
