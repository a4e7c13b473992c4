package org.idallocator.zk.lease;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Objects;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.junit.jupiter.api.Test;

class FenceWatchTest {
    private static final Scheme<?> SNO = Bench.sno(4);

    private final Replicated replica = new Bench().replica("a", SNO);

    private long lost() {
        return Objects.requireNonNull(replica.group().counts().fences().get(FenceReason.SESSION_LOST));
    }

    /** No step of the loop does it: none is made. */
    @Test
    void shouldTellOfAFenceWithoutAnyStep() {
        replica.step();
        try (FenceWatch watch = new FenceWatch(List.of(replica.group()))) {
            watch.start();
            replica.loop.sessionLost();

            await().until(() -> lost() == 1);
        }
        replica.step();
        assertEquals(1, lost());
    }
}
