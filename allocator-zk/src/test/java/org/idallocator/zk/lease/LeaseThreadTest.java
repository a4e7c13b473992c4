package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.lease.Bench.Replicated;
import org.junit.jupiter.api.Test;

class LeaseThreadTest {
    private static final long HANG_GUARD_SECONDS = 90;

    /** Whoever waits for a state must hear of the step that changed it. */
    @Test
    void shouldTellAfterAStepWhenTheSlotIsClaimed() throws InterruptedException {
        Replicated replica = new Bench().replica("a", Bench.sno(1));
        CountDownLatch served = new CountDownLatch(1);
        LeaseThread thread = new LeaseThread(
                changed -> replica.loop,
                () -> replica,
                () -> {
                    if (replica.serves()) {
                        served.countDown();
                    }
                },
                Clock.system());

        thread.start();
        try {
            assertTrue(served.await(HANG_GUARD_SECONDS, TimeUnit.SECONDS));
        } finally {
            thread.close();
        }
    }
}
