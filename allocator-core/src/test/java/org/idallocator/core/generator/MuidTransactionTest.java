package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.Muid;
import org.junit.jupiter.api.Test;

final class MuidTransactionTest {
    private static final long NOW_US = 1_700_000_000_000_000L;
    private static final long MEDALLION = Muid.MIN_MEDALLION + 5;

    private final ScriptedClock clock = new ScriptedClock(NOW_US);
    private final Fence fence = Fence.unbounded(clock, 0, MuidGenerator.UNIT.maxTick());
    private final MuidGenerator tenure = new MuidGenerator(MEDALLION, fence);
    private final IdGenerator<Muid> muids = drawing(tenure);

    @Test
    void shouldCountObjectsFromOneWhenTaken() {
        MuidTransaction transaction = MuidTransaction.begin(muids);

        assertEquals(Muid.of(NOW_US, MEDALLION, 0), transaction.id());
        assertEquals(0, transaction.size());
        assertEquals(Muid.of(NOW_US, MEDALLION, 1), transaction.next());
        assertEquals(Muid.of(NOW_US, MEDALLION, 2), transaction.next());
        assertEquals(2, transaction.size());
        assertEquals(transaction.id(), transaction.next().transaction());
    }

    @Test
    void shouldRefuseWhenObjectsAreUsedUp() {
        MuidTransaction transaction = MuidTransaction.begin(muids);
        Muid last = transaction.id();
        for (int i = 0; i < MuidTransaction.MAX_SIZE; i++) {
            last = transaction.next();
        }

        assertEquals(Muid.MAX_OFFSET, last.offset());
        for (int i = 0; i < 3; i++) {
            IllegalStateException thrown = assertThrows(IllegalStateException.class, transaction::next);
            assertEquals(
                    "transaction " + transaction.id() + " has all its 1048575 objects; begin another",
                    thrown.getMessage());
            assertEquals(MuidTransaction.MAX_SIZE, transaction.size());
        }
    }

    @Test
    void shouldGoOnWithUniqueIdsWhenTenureIsOver() {
        MuidTransaction transaction = MuidTransaction.begin(muids);
        Set<Muid> ids = new HashSet<>(List.of(transaction.id(), transaction.next()));
        long last = tenure.close();
        assertThrows(FencedException.class, () -> MuidTransaction.begin(muids));

        clock.setMicros(NOW_US - 1_000);
        Fence later = Fence.unbounded(clock, last + 1, MuidGenerator.UNIT.maxTick());
        IdGenerator<Muid> successor = drawing(new MuidGenerator(MEDALLION, later));
        for (int i = 0; i < 100; i++) {
            MuidTransaction theirs = MuidTransaction.begin(successor);
            assertTrue(ids.add(theirs.id()) && ids.add(theirs.next()) && ids.add(transaction.next()));
        }
        assertEquals(302, ids.size());
    }

    @Test
    void shouldGiveEachObjectOnceWhenThreadsShareIt() throws Exception {
        MuidTransaction transaction = MuidTransaction.begin(muids);
        int threads = 4;
        int each = 50_000;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        Set<Muid> ids = new HashSet<>();
        try {
            List<Future<List<Muid>>> takers = Stream.generate(() -> pool.submit(
                            () -> Stream.generate(transaction::next).limit(each).toList()))
                    .limit(threads)
                    .toList();
            for (Future<List<Muid>> taker : takers) {
                List<Muid> mine = taker.get();
                assertEquals(mine.stream().sorted().toList(), mine, "in order for each thread");
                ids.addAll(mine);
            }
        } finally {
            pool.shutdownNow();
        }

        assertEquals(threads * each, transaction.size());
        IntStream.rangeClosed(1, threads * each)
                .forEach(offset -> assertTrue(ids.contains(Muid.of(NOW_US, MEDALLION, offset))));
    }

    private IdGenerator<Muid> drawing(Generator generator) {
        return new IdGenerator<>(() -> generator, Muid::new, MuidGenerator.UNIT, Duration.ofSeconds(2), clock);
    }
}
