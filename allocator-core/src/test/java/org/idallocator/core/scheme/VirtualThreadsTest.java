package org.idallocator.core.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.SnoRange;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.PinnedThreads;
import org.idallocator.core.testing.VirtualThreads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;

/** Programs draw from virtual threads, of which there are many at a time, on few carriers. */
@EnabledForJreRange(minVersion = VirtualThreads.SINCE, disabledReason = VirtualThreads.WHY_NOT)
final class VirtualThreadsTest {
    private static final int THREADS = 10_000;

    private final LocalIds local = new LocalIds(HangGuard.TIME, Clock.system());

    /** There are 16 snos in 4 ms, so nearly all of them stand in line. */
    @Test
    void shouldServeEachWhenThousandsWait() throws Exception {
        IdGenerator<Sno> snos = local.sno(SnoPartition.of(7), new SnoRange(0, 15));
        AtomicInteger waits = new AtomicInteger();

        assertServesEach(snos.onWait(nanos -> waits.incrementAndGet()), 1);

        assertTrue(waits.get() > THREADS / 10, waits::toString);
    }

    /** Batches and single IDs stand in two rows. */
    @Test
    void shouldServeEachWhenThousandsWaitForSeveral() throws Exception {
        assertServesEach(local.sno(SnoPartition.of(8), new SnoRange(0, 255)), 3);
    }

    /** They use one block of random bits by turns. */
    @Test
    void shouldServeEachWhenNobodyWaits() throws Exception {
        assertServesEach(local.volumes(), 1);
    }

    private static void assertServesEach(IdGenerator<? extends Id> ids, int count) throws Exception {
        Set<Id> drawn = ConcurrentHashMap.newKeySet();
        loadClasses(ids, count); // first, as whoever waits for that is pinned
        try (PinnedThreads pinned = PinnedThreads.watch()) {
            List<Thread> threads = VirtualThreads.startTogether(THREADS, () -> drawn.addAll(ids.next(count)));
            VirtualThreads.join(threads);

            pinned.assertNone();
        }
        assertEquals(THREADS * count, drawn.size());
    }

    /** Does what the threads will do; some of these draws wait, too. */
    private static void loadClasses(IdGenerator<? extends Id> ids, int count) {
        Set<Id> drawn = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 300; i++) {
            drawn.addAll(ids.next(count));
        }
    }
}
