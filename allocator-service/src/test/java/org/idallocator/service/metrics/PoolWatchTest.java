package org.idallocator.service.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.zk.operator.PoolView;
import org.junit.jupiter.api.Test;

/** When the pools are read, and what is told of them meanwhile. */
class PoolWatchTest {
    private static final PoolView.Counts COUNTS = new PoolView.Counts("sno", 1_024, 3, 1_020, 1, 0, 0);

    private final ScriptedClock clock = new ScriptedClock(0);
    private final ByHand reader = new ByHand();
    private boolean away;
    private int reads;
    private final PoolWatch watch = new PoolWatch(this::pools, reader, clock);

    private List<PoolView> pools() {
        reads++;
        if (away) {
            throw new IllegalStateException("ZooKeeper is away");
        }
        return List.of(new PoolView(COUNTS, List.of()));
    }

    private Optional<Duration> age() {
        return watch.look().map(PoolWatch.Seen::age);
    }

    @Test
    void shouldReadBehindWhoeverAsks() {
        assertEquals(Optional.empty(), watch.look());
        assertEquals(0, reads);

        reader.run();
        clock.advance(Duration.ofSeconds(10));

        assertEquals(Optional.of(new PoolWatch.Seen(List.of(COUNTS), Duration.ofSeconds(10))), watch.look());
    }

    @Test
    void shouldReadSeldomAndOnlyWhenAsked() {
        watch.look();
        watch.look();
        reader.run();
        clock.advance(PoolWatch.EVERY.minusNanos(1));
        watch.look();
        reader.run();
        assertEquals(1, reads);

        clock.advance(Duration.ofHours(1));
        reader.run();
        assertEquals(1, reads);

        watch.look();
        reader.run();
        assertEquals(2, reads);
    }

    @Test
    void shouldTellNothingThatWasReadLongAgo() {
        watch.look();
        reader.run();

        clock.advance(PoolWatch.OLDEST);
        assertEquals(Optional.of(PoolWatch.OLDEST), age());
        clock.advance(Duration.ofNanos(1));
        assertEquals(Optional.empty(), age());
    }

    @Test
    void shouldTellNothingWhileThePoolsCannotBeRead() {
        watch.look();
        reader.run();
        away = true;
        clock.advance(PoolWatch.EVERY);
        watch.look();
        reader.run();

        assertEquals(Optional.empty(), watch.look());

        away = false;
        clock.advance(PoolWatch.EVERY);
        watch.look();
        reader.run();
        assertEquals(Optional.of(Duration.ZERO), age());
    }

    /** What was asked for long ago is old, however late the answer is. */
    @Test
    void shouldCountTheAgeFromTheQuestion() {
        PoolWatch slow = new PoolWatch(
                () -> {
                    clock.advance(Duration.ofSeconds(20));
                    return pools();
                },
                reader,
                clock);
        slow.look();
        reader.run();

        assertEquals(Optional.of(Duration.ofSeconds(20)), slow.look().map(PoolWatch.Seen::age));
    }

    @Test
    void shouldReadNoMoreWhenClosed() {
        watch.close();

        assertEquals(Optional.empty(), watch.look());
        assertTrue(reader.isShutdown());
        reader.run();
        assertEquals(0, reads);
    }

    /** Runs what it was given when a test says so. */
    private static final class ByHand extends AbstractExecutorService {
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private boolean shut;

        void run() {
            while (!tasks.isEmpty()) {
                tasks.remove().run();
            }
        }

        @Override
        public void execute(Runnable task) {
            if (shut) {
                throw new RejectedExecutionException("shut");
            }
            tasks.add(task);
        }

        @Override
        public void shutdown() {
            shut = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shut = true;
            List<Runnable> left = List.copyOf(tasks);
            tasks.clear();
            return left;
        }

        @Override
        public boolean isShutdown() {
            return shut;
        }

        @Override
        public boolean isTerminated() {
            return shut;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return shut;
        }
    }
}
