package org.idallocator.zk.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.testing.Proof;
import org.idallocator.zk.lease.Bench.Replicated;
import org.idallocator.zk.store.StoreException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** From its close on, callers hear of nothing else, whatever the replica does before, meanwhile and afterwards. */
class ServingStateTest {
    private static final int EVENTS = 40;
    private static final Scheme<?> SNO = Bench.sno(2);

    private static final Logger LOG = (Logger) LoggerFactory.getLogger("org.idallocator.zk");

    private final Bench bench = new Bench();
    private final ServingState state = new ServingState();
    private final Replicated replica = bench.replica("a", SNO, new MuidScheme());
    private final List<TenureSource<Generator>> sources =
            List.of(state.until(replica.group(0)), state.until(replica.group(1)));
    private boolean closed;

    @BeforeAll
    static void silence() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speakAgain() {
        LOG.setLevel(null);
    }

    /** In a step of a replica, others come between before and after each of its calls. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldTellNothingElseWhateverTheLeaseThreadDoesLate(int seed) {
        Random random = new Random(seed);
        int closesAt = random.nextInt(EVENTS);
        boolean amid = random.nextBoolean();
        for (int event = 0; event < EVENTS; event++) {
            if (event == closesAt) {
                closeNow(amid, random);
            }
            happen(random);
            hear();
        }
        replica.client.between(() -> {});
        closeNow(false, random);
        replica.client.connected(true);
        release();
        hear();

        assertEquals(FenceReason.CLOSED, status(0).fenced().orElseThrow().reason());
    }

    static IntStream seeds() {
        return IntStream.range(0, Proof.size(100, 2_000));
    }

    /** Closes at once, or after a few calls of the steps that follow. */
    private void closeNow(boolean amid, Random random) {
        int[] calls = {amid ? random.nextInt(20) : 0};
        replica.client.between(() -> {
            hear();
            if (calls[0]-- == 0) {
                close();
            }
        });
        if (!amid) {
            close();
        }
    }

    private void close() {
        state.close();
        closed = true;
    }

    private void release() {
        try {
            replica.loop.close();
        } catch (StoreException e) {
            // its session is gone, and the slots with it
        }
    }

    private void happen(Random random) {
        switch (random.nextInt(8)) {
            case 0 -> bench.advance(Duration.ofMillis(random.nextInt(15_000)));
            case 1 -> replica.client.connected(random.nextInt(3) > 0);
            case 2 -> replica.loop.sessionLost();
            case 3 -> bench.zookeeper.expire(replica.client.believedSession());
            case 4 -> Bench.drain(state);
            case 5 -> state.resume();
            default -> replica.loop.step();
        }
    }

    private SchemeStatus status(int index) {
        return state.status(() -> replica.group(index).status(Bench.TREE));
    }

    /** Asks as callers do, in every way that there is. */
    private void hear() {
        for (int index = 0; index < sources.size(); index++) {
            TenureSource<Generator> source = sources.get(index);
            SchemeStatus status = status(index);
            if (closed) {
                assertEquals(
                        FenceReason.CLOSED,
                        assertThrows(FencedException.class, source::current).reason());
                assertEquals(FenceReason.CLOSED, status.fenced().orElseThrow().reason());
                assertFalse(status.slot().isPresent());
            }
        }
    }
}
