package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.store.Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadyWaitTest {
    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

    private final Bench bench = new Bench();
    private final ServingState state = new ServingState();

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    /** A caller's clock: while the caller parks, time passes and the replica steps. */
    private record StepsWhileParked(Replicated replica, Runnable before) implements Clock {
        @Override
        public long micros() {
            return replica.clock.micros();
        }

        @Override
        public long nanos() {
            return replica.clock.nanos();
        }

        @Override
        public void park(long nanos) {
            assertTrue(nanos >= 1_000_000, "waits, and does not spin: " + nanos);
            before.run();
            replica.letPass(Duration.ofNanos(nanos));
        }
    }

    /** Waits for all schemes of a replica; returns how long that took. */
    private Duration ready(Replicated replica, int schemes, Duration timeout, Runnable beforeParking)
            throws InterruptedException {
        Instant from = bench.now();
        new ReadyWait(new StepsWhileParked(replica, beforeParking)).await(() -> statuses(replica, schemes), timeout);
        return Duration.between(from, bench.now());
    }

    /** Waits in vain; what is told begins with this. */
    private void assertNotReady(
            FenceReason reason,
            String told,
            Replicated replica,
            int schemes,
            Duration timeout,
            Runnable beforeParking) {
        FencedException thrown =
                assertThrows(FencedException.class, () -> ready(replica, schemes, timeout, beforeParking));
        assertEquals(reason, thrown.reason());
        String said = String.valueOf(thrown.getMessage());
        assertTrue(said.startsWith(told), said);
        String here = ReadyWaitTest.class.getName();
        assertTrue(Arrays.stream(thrown.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(here)));
    }

    private void assertNotReady(FenceReason reason, String told, Replicated replica, Duration timeout) {
        assertNotReady(reason, told, replica, 1, timeout, () -> {});
    }

    private Replicated away() {
        Replicated replica = bench.replica("a", Bench.sno(1));
        replica.client.connected(false);
        return replica;
    }

    private List<SchemeStatus> statuses(Replicated replica, int schemes) {
        return IntStream.range(0, schemes)
                .mapToObj(replica::status)
                .map(state::status)
                .toList();
    }

    @Test
    void shouldReturnAtOnceWhenEverySchemeServes() throws InterruptedException {
        Replicated replica = bench.replica("a", Bench.sno(1), new MuidScheme()).step();

        assertEquals(Duration.ZERO, ready(replica, 2, Duration.ZERO, () -> {}));
        assertEquals(Duration.ZERO, ready(replica, 2, Duration.ofSeconds(-1), () -> {}));
    }

    @Test
    void shouldReturnWhenDrawsSucceedAfterTheFloorOfANewRoot() throws InterruptedException {
        bench.withoutPromise();
        Replicated replica = bench.replica("a", Bench.sno(1));

        Duration waited = ready(replica, 1, HALF_A_MINUTE, () -> {});

        assertEquals(1, replica.draw(1));
        assertTrue(waited.compareTo(Bench.AHEAD.plusSeconds(1)) < 0, waited.toString());
    }

    /** A first connection may be under way for a while. */
    @Test
    void shouldNameTheAddressWhenZooKeeperIsNotReached() {
        Replicated replica = away();
        Duration early = Connection.USUAL.minusMillis(1);
        String starting = "sno did not serve within 1999 ms: no slot has been claimed yet; claiming goes on by itself"
                + " (connecting to ZooKeeper at simulated:2181)";
        String away = "sno did not serve within 5000 ms: " + FenceReason.UNREACHABLE.sentence() + " (simulated:2181: ";
        Instant from = bench.now();
        assertNotReady(FenceReason.STARTING, starting, replica, early);
        assertNotReady(FenceReason.UNREACHABLE, away, replica, Duration.ofSeconds(5));
        assertEquals(early.plusSeconds(5), Duration.between(from, bench.now()));
    }

    @Test
    void shouldSayUnreachableAtOnceWhenTheReplicaWasConnectedBefore() {
        Replicated replica = bench.replica("a", Bench.sno(1)).step();
        replica.client.connected(false);
        replica.loop.fenceAll();
        replica.step();

        assertEquals(FenceReason.UNREACHABLE, replica.reason());
    }

    @Test
    void shouldReturnWhenZooKeeperAppearsHoweverLateThatIs() throws InterruptedException {
        Replicated replica = away();
        Instant appears = bench.now().plusSeconds(3_600);

        Duration waited = ready(replica, 1, ChronoUnit.FOREVER.getDuration(), () -> {
            if (bench.now().isAfter(appears)) {
                replica.client.connected(true);
            }
        });

        assertTrue(replica.serves());
        assertTrue(waited.compareTo(Duration.ofSeconds(3_605)) < 0, waited.toString());
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0})
    void shouldLookOnceWhenThereIsNoTime(long seconds) {
        Replicated replica = away();
        Instant from = bench.now();

        String told = "sno did not serve within 0 ms: ";
        assertNotReady(FenceReason.STARTING, told, replica, Duration.ofSeconds(seconds));
        assertEquals(from, bench.now());
    }

    @Test
    void shouldNameTheSchemeThatDoesNotServe() {
        bench.replica("a", new MuidScheme(), Bench.sno(1)).step();
        Replicated other = bench.replica("b", new MuidScheme(), Bench.sno(1)).step();

        String told = "sno did not serve within 1000 ms: ";
        assertNotReady(FenceReason.NO_FREE_SLOT, told, other, 2, Duration.ofSeconds(1), () -> {});
    }

    @Test
    void shouldThrowAtOnceWhenClosedMeanwhile() {
        Replicated replica = away();
        Instant closes = bench.now().plusSeconds(3);

        assertNotReady(FenceReason.CLOSED, "this allocator is closed", replica, 1, HALF_A_MINUTE, () -> {
            if (!bench.now().isBefore(closes)) {
                state.close();
            }
        });
        assertTrue(bench.now().isBefore(closes.plusSeconds(2)), "does not wait for the rest of its time");
    }

    @Test
    void shouldThrowWhenInterruptedWhileItWaits() {
        Replicated replica = away();

        assertThrows(
                InterruptedException.class,
                () -> ready(
                        replica, 1, HALF_A_MINUTE, () -> Thread.currentThread().interrupt()));
        assertFalse(Thread.currentThread().isInterrupted(), "as of all that throws this");

        Replicated serves = bench.replica("b", Bench.sno(1)).step();
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> ready(serves, 1, HALF_A_MINUTE, () -> {}), "before");
    }

    /** The change comes after the caller has read the state, which lasts for an hour, and before the caller parks. */
    @Test
    void shouldMissNoChangeThatComesBeforeItParks() {
        ReadyWait wait = new ReadyWait(Clock.system());
        FencedException why = FencedException.of(FenceReason.COOLING, "for 1 h", Duration.ofHours(1));
        AtomicReference<SchemeStatus> status =
                new AtomicReference<>(new SchemeStatus("sno", Optional.of(why), Optional.empty()));
        Supplier<List<SchemeStatus>> changing = () -> {
            SchemeStatus read = status.getAndSet(new SchemeStatus("sno", Optional.empty(), Optional.empty()));
            wait.lookAgain();
            return List.of(read);
        };

        assertTimeoutPreemptively(HangGuard.TIME, () -> wait.await(changing, Duration.ofHours(1)));
    }

    /** A clock of tests may have sleepers of its own, whom nobody else can wake. */
    @Test
    void shouldWakeItsCallersByTheClockOnWhichTheySleep() throws InterruptedException {
        List<Thread> woken = new ArrayList<>();
        ReadyWait wait = new ReadyWait(new Waking(new ScriptedClock(0), woken));
        FencedException why = FencedException.of(FenceReason.COOLING, "for 1 s", Duration.ofSeconds(1));
        Iterator<SchemeStatus> statuses = List.of(
                        new SchemeStatus("sno", Optional.of(why), Optional.empty()),
                        new SchemeStatus("sno", Optional.empty(), Optional.empty()))
                .iterator();

        wait.await(
                () -> {
                    wait.lookAgain();
                    return List.of(statuses.next());
                },
                Duration.ofHours(1));
        wait.lookAgain();

        Thread caller = Thread.currentThread();
        assertEquals(List.of(caller, caller), woken, "twice while it waited, and not after that");
    }

    /** A clock that tells whom it is to wake. */
    private record Waking(Clock clock, List<Thread> woken) implements Clock {
        @Override
        public long micros() {
            return clock.micros();
        }

        @Override
        public long nanos() {
            return clock.nanos();
        }

        @Override
        public void park(long nanos) {
            clock.park(nanos);
        }

        @Override
        public void unpark(Thread thread) {
            woken.add(thread);
        }
    }
}
