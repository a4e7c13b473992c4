package org.idallocator.zk.lease;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.Clients;
import org.idallocator.zk.store.SimulatedClock;
import org.junit.jupiter.api.Test;

class LeasesTest {
    private static final Scheme<?> SNO = Bench.sno(1);

    /** Whoever is parked on this clock stays parked until somebody wakes the thread. */
    private static final class Stopped implements Clock {
        @Override
        public long micros() {
            return SimulatedClock.BEGINNING_MICROS;
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void park(long nanos) {
            LockSupport.park(this);
        }
    }

    /** No step of the lease thread does it: the thread does not run. */
    @Test
    void shouldWakeWhoeverWaitsWhenClosed() throws Exception {
        ZooKeeperSettings nowhere = ZooKeeperSettings.of("localhost:1");
        try (var curator = Clients.open(nowhere)) {
            Leases leases = new Leases(curator, new Stopped(), AllocatorSettings.of(List.of(SNO), nowhere));
            FutureTask<FenceReason> told = new FutureTask<>(() -> reason(leases));
            Thread caller = new Thread(told);
            caller.setDaemon(true);
            caller.start();
            await().until(() -> caller.getState() == Thread.State.WAITING);

            leases.close();

            assertEquals(FenceReason.CLOSED, told.get(HangGuard.TIME.toSeconds(), TimeUnit.SECONDS));
        }
    }

    private static FenceReason reason(Leases leases) throws InterruptedException {
        try {
            leases.awaitReady(List.of(SNO), Duration.ofHours(1));
            throw new AssertionError("nothing serves");
        } catch (FencedException e) {
            return e.reason();
        }
    }
}
