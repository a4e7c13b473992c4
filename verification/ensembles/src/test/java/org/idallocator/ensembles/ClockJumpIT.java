package org.idallocator.ensembles;

import static org.idallocator.core.testing.HangGuard.await;
import static org.idallocator.ensembles.TestReplicas.calling;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.Proof;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.testing.Caller;
import org.idallocator.zk.testing.DuplicateChecker;
import org.idallocator.zk.testing.ZooKeepers;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The replica's wall clock jumps, while its monotonic clock and ZooKeeper's clock go on as they should. */
@Execution(ExecutionMode.CONCURRENT)
@ProofOnly("waits for sessions to end and floors to pass; FencingIT has each way to lose a slot")
class ClockJumpIT {
    private static final Duration SESSION = Duration.ofSeconds(Proof.size(12, 4));
    private static final SnoScheme SNO = new SnoScheme(0, 16, 4);
    private static final MuidScheme MUID = new MuidScheme();

    @AutoClose
    private static final ZooKeepers ZOOKEEPER = ZooKeepers.alone();

    @ParameterizedTest
    @MethodSource("jumpSeconds")
    void shouldRefuseWhileTheClockIsOffAndResumeWithoutRepeatingWhenItIsRight(long jumpSeconds) {
        ShiftedClock clock = new ShiftedClock();
        DuplicateChecker snos = new DuplicateChecker();
        DuplicateChecker muids = new DuplicateChecker();
        TestReplicas replicas = TestReplicas.of(ZOOKEEPER.connectString(), SESSION);
        try (IdAllocator allocator = IdAllocator.connect(replicas.settings(SNO, MUID), clock);
                Caller sno = calling(allocator, SNO, snos);
                Caller muid = calling(allocator, MUID, muids)) {
            String before = allocator.held().get(0).nonce();
            clock.shift(Duration.ofSeconds(jumpSeconds));
            await().until(() -> sno.refused(FenceReason.CLOCK_SKEW) && muid.refused(FenceReason.CLOCK_SKEW));
            String told =
                    String.valueOf(allocator.status(SNO).fenced().orElseThrow().getMessage());
            assertTrue(told.contains(jumpSeconds > 0 ? "ms ahead of" : "ms behind"), told);
            clock.shift(Duration.ZERO);
            await().until(() -> sno.issuing() && muid.issuing());
            assertNotEquals(before, allocator.held().get(0).nonce());
        }
        snos.requireNone();
        muids.requireNone();
    }

    static LongStream jumpSeconds() {
        return Proof.size(LongStream.of(600, -3_600), LongStream.of(600, 365L * 24 * 3_600, -600, -3_600));
    }

    /** The system's clock, but its wall time is off. */
    private static final class ShiftedClock extends TestReplicas.MachineClock {
        private final AtomicLong shiftMicros = new AtomicLong();

        void shift(Duration shift) {
            shiftMicros.set(shift.toSeconds() * 1_000_000);
        }

        @Override
        public long micros() {
            return super.micros() + shiftMicros.get();
        }
    }
}
