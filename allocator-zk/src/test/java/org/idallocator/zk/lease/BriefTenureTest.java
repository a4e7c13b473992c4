package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.lease.Bench.Replicated;
import org.junit.jupiter.api.Test;

/**
 * Whatever ends tenures as soon as they begin, claims stay few; a tenure that served is followed by the next at once.
 */
final class BriefTenureTest {
    private static final Scheme<?> SNO = Bench.sno(4);

    private final Bench bench = new Bench();
    private final Replicated replica = bench.replica("a", SNO).step();

    /** Somebody deletes the lease, of which the replica hears at once. */
    private void lose() {
        bench.zookeeper.delete(Bench.TREE.lease(replica.tenure().slot()));
        replica.step();
    }

    private long claims() {
        return replica.slots().counts().claims();
    }

    @Test
    void shouldClaimAtOnceAfterTheFirstLossAndAfterTenuresThatServed() {
        for (int loss = 0; loss < 3; loss++) {
            lose();
            assertTrue(replica.serves());
            replica.stepFor(SlotKeeper.BRIEF);
        }
        assertEquals(4, claims());
    }

    /** 0.1, 0.2, 0.4, 0.8, 1.6 and 3.2 s are 6.3 s; in the rest of the minute there is a claim every five seconds. */
    @Test
    void shouldClaimSeldomWhileTenuresEndAsSoonAsTheyBegin() {
        Duration some = Duration.ofMillis(10);
        for (Duration time = Duration.ZERO; time.compareTo(Duration.ofMinutes(1)) < 0; time = time.plus(some)) {
            if (replica.serves()) {
                lose();
            }
            replica.letPass(some);
        }
        assertTrue(claims() > 10 && claims() < 20, () -> "claims: " + claims());
    }
}
