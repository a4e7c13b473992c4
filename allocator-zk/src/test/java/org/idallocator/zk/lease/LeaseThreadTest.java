package org.idallocator.zk.lease;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.store.SimulatedClient.Fault;
import org.idallocator.zk.testing.Told;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseThreadTest {
    /** Whoever waits until this replica is ready looks again. */
    @Test
    void shouldTellAfterAStepWhenTheSlotIsClaimed() {
        Replicated replica = new Bench().replica("a", Bench.sno(1));
        CountDownLatch served = new CountDownLatch(1);
        LeaseThread thread = new LeaseThread(
                replica.loop,
                () -> {},
                () -> {
                    if (replica.serves()) {
                        served.countDown();
                    }
                },
                Clock.system(),
                LeaseThread.LONGEST_RELEASE);
        try {
            thread.start();
            await().until(() -> served.getCount() == 0);
        } finally {
            thread.close();
        }
    }

    private static LeaseThread thread(Replicated replica, Duration longestRelease) {
        return new LeaseThread(replica.loop, () -> {}, () -> {}, Clock.system(), longestRelease);
    }

    /** Whether a step hangs when the stop begins, or the stop itself does. */
    @ParameterizedTest
    @ValueSource(strings = {"read", "multi"})
    void shouldTellOfEachSlotThatItCouldNotReleaseInTime(String hanging) throws InterruptedException {
        Scheme<?> sno = Bench.sno(1);
        Scheme<?> muid = new MuidScheme();
        Replicated replica = new Bench().replica("a", sno, muid).step();
        List<String> held = List.of(line(replica.tenure(0)), line(replica.tenure(1)));
        replica.client.faults(call -> call.contains(hanging) ? hang() : Fault.NONE);
        LeaseThread thread = thread(replica, Duration.ofMillis(100));
        try (Told told = Told.byAnyThread(LeaseLog.class)) {
            thread.start();

            thread.close();

            await().until(() -> abandoned(told).size() >= held.size()); // the stop waits for the thread for a second
            assertEquals(held, abandoned(told));
        }
        assertFalse(replica.serves(0) || replica.serves(1));
    }

    private static List<String> abandoned(Told told) {
        return told.events().stream()
                .filter(event -> event.getThreadName().equals("id-allocator-leases"))
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.startsWith("lease abandoned "))
                .toList();
    }

    /** Such as a task of an executor that was told to shut down now, with the allocator in a try. */
    @Test
    void shouldEndWhereWhoeverStopsItIsInterrupted() {
        Replicated replica = new Bench().replica("a", Bench.sno(1)).step();
        String held = line(replica.tenure(0));
        replica.client.faults(call -> Fault.REQUEST_LOST);
        LeaseThread thread = thread(replica, Duration.ofMinutes(10));
        try (Told told = Told.byAnyThread(LeaseLog.class)) {
            thread.start();
            Thread.currentThread().interrupt();

            thread.close();

            assertTrue(Thread.interrupted(), "the caller's own business");
            await().until(() -> told.events().stream()
                    .anyMatch(event -> event.getFormattedMessage().equals(held)));
        }
    }

    private static String line(Tenure tenure) {
        return "lease abandoned scheme=" + tenure.slot().scheme().name() + " slot="
                + tenure.slot().name() + " tenure=" + tenure.nonce()
                + " reason=released detail=\"the slot was released (this replica stops)\"";
    }

    /** As ZooKeeper's client does while no answer comes. */
    private static Fault hang() {
        try {
            new CountDownLatch(1).await();
            return Fault.NONE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Fault.REQUEST_LOST;
        }
    }
}
