package org.idallocator.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.zk.testing.ReplicaProcess;

/** Many {@link Chain chains} through the same replicas at once, of every scheme that sorts by time. To be used once. */
final class PassedAlong {
    /**
     * So many chains that the processors never wait for ticks. A hop of uid60 waits for half a second as a rule, so few
     * of all hops are of that.
     */
    private static final Map<String, Integer> CHAINS = Map.of("sno", 32, "muid", 8, "gid", 8, "uid60", 4);

    private final List<ReplicaProcess> replicas;
    private final AtomicInteger hops = new AtomicInteger();
    private final Map<String, Integer> hopsOfSchemes = new ConcurrentHashMap<>();

    PassedAlong(List<ReplicaProcess> replicas) {
        this.replicas = replicas;
    }

    /**
     * Draws so many IDs, each by a request of its own, for who has seen the last one of another replica. Throws an
     * {@link AssertionError} where one does not sort after that, or is refused.
     */
    void requireOrder(int atLeast) throws InterruptedException, ExecutionException {
        requireDisorderWhereNobodyTellsWhatWasSeen(atLeast);
        List<Callable<Void>> chains = new ArrayList<>();
        CHAINS.forEach((scheme, count) ->
                chains.addAll(Collections.nCopies(count, () -> passAlong(scheme(scheme), atLeast))));
        ExecutorService threads = Executors.newFixedThreadPool(chains.size());
        try {
            for (Future<Void> chain : threads.invokeAll(chains)) {
                chain.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertTrue(hops.get() >= atLeast);
        assertEquals(CHAINS.keySet(), hopsOfSchemes.keySet(), "each scheme has its part");
    }

    /** Else the order of the chains would show nothing. Such a hop is much shorter than a tick of sno, mostly. */
    private void requireDisorderWhereNobodyTellsWhatWasSeen(int atMost) {
        try (Chain<?> chain = new Chain<>(scheme("sno"), replicas)) {
            assertTrue(IntStream.range(0, atMost).anyMatch(hop -> !chain.hopAnyhow()));
        }
    }

    private static Scheme<?> scheme(String name) {
        return Schemes.named(name, Schemes.all());
    }

    private Void passAlong(Scheme<?> scheme, int atLeast) {
        int own = 0;
        try (Chain<?> chain = new Chain<>(scheme, replicas)) {
            do {
                String before = chain.toString();
                assertTrue(chain.hopAfter(), () -> chain + " does not sort after " + before);
                own++;
            } while (hops.incrementAndGet() < atLeast);
        }
        hopsOfSchemes.merge(scheme.name(), own, Integer::sum);
        return null;
    }

    /** How many hops there were, by the schemes. */
    @Override
    public String toString() {
        return hopsOfSchemes.toString();
    }
}
