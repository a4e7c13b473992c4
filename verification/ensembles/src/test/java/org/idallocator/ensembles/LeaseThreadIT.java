package org.idallocator.ensembles;

import static org.idallocator.core.testing.HangGuard.await;
import static org.idallocator.ensembles.TestReplicas.awaitActive;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.testing.Caller;
import org.idallocator.zk.testing.DuplicateChecker;
import org.idallocator.zk.testing.TcpProxy;
import org.idallocator.zk.testing.ZooKeeperProcesses;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a step throws, on a real ZooKeeper, the thread that steps goes on, and no slot stays behind. */
@Execution(ExecutionMode.CONCURRENT)
@ProofOnly("waits for sessions to end and floors to pass; FencingIT has each way to lose a slot")
class LeaseThreadIT {
    private static final Duration SESSION = Duration.ofSeconds(4);
    /** The one slot of a pool, so that the next claim has no other. */
    private static final SnoScheme ONE_SLOT = new SnoScheme(0, 1, 1);

    @AutoClose
    private static final ZooKeeperProcesses ZOOKEEPER = ZooKeeperProcesses.alone();

    private final DuplicateChecker snos = new DuplicateChecker();
    private final FaultyClock clock = new FaultyClock();

    @AfterEach
    void requireNoDuplicates() {
        snos.requireNone();
    }

    /** The machine's clock, until the lease thread meets the fault that a test has prepared. */
    private static final class FaultyClock implements Clock {
        private volatile Runnable fault = () -> {};
        private final AtomicInteger readings = new AtomicInteger(Integer.MAX_VALUE);

        /** Prepares a fault, which the lease thread meets once, when it has read the clock so often. */
        void after(int count, Runnable what) {
            fault = what;
            readings.set(count);
        }

        boolean met() {
            return readings.get() <= 0;
        }

        private void meet() {
            if (Thread.currentThread().getName().equals("id-allocator-leases") && readings.decrementAndGet() == 0) {
                fault.run();
            }
        }

        @Override
        public long micros() {
            meet();
            return Clock.system().micros();
        }

        @Override
        public long nanos() {
            meet();
            return Clock.system().nanos();
        }

        @Override
        public void park(long nanos) {
            Clock.system().park(nanos);
        }
    }

    private IdAllocator connect() {
        TestReplicas replicas = TestReplicas.of(ZOOKEEPER.address(0), SESSION);
        return IdAllocator.connect(replicas.settings(ONE_SLOT), clock);
    }

    private static String session(IdAllocator allocator) {
        return Objects.requireNonNull(allocator.cluster().lease(ONE_SLOT, 0).lease(), "the slot is held")
                .session();
    }

    /** How many fences have tripped: whoever looks now and then misses none. */
    private static long fences(IdAllocator allocator) {
        return allocator.leaseCounts().stream()
                .flatMap(counts -> counts.fences().values().stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    private static void unforeseen() {
        throw new IllegalStateException("unforeseen");
    }

    private static void error() {
        throw new OutOfMemoryError("of a test");
    }

    /** Wherever a step ends in an error, the old session's slot must be free for the next claim. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 13, 21})
    void shouldServeOnANewSessionWhenAnErrorEndsAStep(int reading) {
        try (IdAllocator allocator = connect();
                Caller caller = Caller.of(allocator.generator(ONE_SLOT), snos)) {
            awaitActive(allocator, ONE_SLOT);
            await().until(caller::issuing);
            String before = session(allocator);
            clock.after(reading, LeaseThreadIT::error);
            await().until(() -> clock.met() && fences(allocator) > 0);
            awaitActive(allocator, ONE_SLOT);

            assertNotEquals(before, session(allocator));
            assertTrue(allocator.sinceLastStep().compareTo(SESSION) < 0);
        }
    }

    /** An error may come after the claim was made and before the replica took note of it. */
    @ParameterizedTest
    @ValueSource(ints = {4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28})
    void shouldClaimAgainWhenAnErrorEndsTheFirstSteps(int reading) {
        clock.after(reading, LeaseThreadIT::error);
        try (IdAllocator allocator = connect();
                Caller caller = Caller.of(allocator.generator(ONE_SLOT), snos)) {
            await().until(clock::met);
            await().until(caller::issuing);
        }
    }

    /** Meanwhile the old session cannot be closed, and the step after the error gets no answer. */
    @Test
    void shouldServeAgainWhenAnErrorEndsAStepWhileNothingPassesTheLine() {
        TestReplicas replicas = TestReplicas.of(ZOOKEEPER.address(0), SESSION);
        try (TcpProxy line = TcpProxy.to(ZOOKEEPER.address(0), Duration.ZERO);
                IdAllocator allocator =
                        IdAllocator.connect(replicas.through(line.address()).settings(ONE_SLOT), clock)) {
            awaitActive(allocator, ONE_SLOT);
            line.blackhole();
            clock.after(3, LeaseThreadIT::error);
            await().until(() -> clock.met() && !allocator.status(ONE_SLOT).active());
            clock.after(5, () -> {}); // steps again
            await().atMost(SESSION.multipliedBy(3)).until(clock::met);
            line.heal();
            awaitActive(allocator, ONE_SLOT);
        }
    }

    static Stream<Runnable> passing() {
        return Stream.of(LeaseThreadIT::unforeseen, () -> Thread.currentThread().interrupt());
    }

    /** An exception, and an interruption of a thread that was not told to stop. */
    @ParameterizedTest
    @MethodSource("passing")
    void shouldKeepItsSessionWhenWhatEndsAStepIsNoError(Runnable fault) {
        try (IdAllocator allocator = connect()) {
            awaitActive(allocator, ONE_SLOT);
            String before = session(allocator);
            for (Runnable each : List.<Runnable>of(fault, () -> {})) { // and steps again
                clock.after(20, each);
                await().until(clock::met);
            }
            awaitActive(allocator, ONE_SLOT);
            assertEquals(before, session(allocator));
        }
    }

    @Test
    void shouldTellHowLongTheThreadHasDoneNothing() {
        CountDownLatch released = new CountDownLatch(1);
        IdAllocator allocator = connect();
        try (allocator) {
            awaitActive(allocator, ONE_SLOT);
            clock.after(2, () -> assertDoesNotThrow(() -> released.await()));
            await().until(() -> allocator.sinceLastStep().compareTo(SESSION) > 0);
            released.countDown();
            await().until(() -> allocator.sinceLastStep().compareTo(SESSION) < 0);
        }
        assertEquals(Duration.ZERO, allocator.sinceLastStep());
    }
}
