package org.idallocator.service.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.operator.PoolView;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was last read of the pools. They are read on a thread of this watch's own, at most once in {@link #EVERY}, and only while
 * somebody asks: whoever asks never waits for ZooKeeper, and finds what an earlier question had read. What could not be read, or was
 * read long ago, is not there. Thread-safe.
 */
final class PoolWatch implements AutoCloseable {
    /** How seldom the pools are read. */
    static final Duration EVERY = Duration.ofSeconds(30);

    /** What is older is not told any more: where nobody has asked for long, the first one who does gets no old answer. */
    static final Duration OLDEST = Duration.ofMinutes(2);

    private static final Logger LOG = LoggerFactory.getLogger(PoolWatch.class);
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final Supplier<List<PoolView>> pools;
    private final ExecutorService reader;
    private final Clock clock;
    private final AtomicBoolean reading = new AtomicBoolean();
    private volatile @Nullable Read last;
    private volatile long nextNanos;

    private record Read(List<PoolView.Counts> counts, long nanos) {}

    /**
     * What was read of the pools.
     *
     * @param counts those of each pool
     * @param age how long ago they were read
     */
    record Seen(List<PoolView.Counts> counts, Duration age) {}

    /** {@code pools} asks ZooKeeper, and may wait for long; {@code reader} runs that, and is ended when this is closed. */
    PoolWatch(Supplier<List<PoolView>> pools, ExecutorService reader, Clock clock) {
        this.pools = pools;
        this.reader = reader;
        this.clock = clock;
        this.nextNanos = clock.nanos();
    }

    /** The same with a daemon thread, which is there while it reads. */
    static PoolWatch on(Supplier<List<PoolView>> pools) {
        ThreadPoolExecutor one = new ThreadPoolExecutor(
                1, 1, IDLE.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), PoolWatch::thread);
        one.allowCoreThreadTimeOut(true);
        return new PoolWatch(pools, one, Clock.system());
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "id-allocator-pools");
        thread.setDaemon(true);
        return thread;
    }

    /** What was read last, if that is not too old. Has the pools read again where that is due. */
    Optional<Seen> look() {
        readIfDue();
        Read read = last;
        if (read == null) {
            return Optional.empty();
        }
        Duration age = Duration.ofNanos(clock.nanos() - read.nanos());
        return age.compareTo(OLDEST) > 0 ? Optional.empty() : Optional.of(new Seen(read.counts(), age));
    }

    private void readIfDue() {
        if (clock.nanos() - nextNanos >= 0 && reading.compareAndSet(false, true)) {
            try {
                reader.execute(this::read);
            } catch (RejectedExecutionException e) {
                LOG.debug("closed: the pools are read no more", e);
            }
        }
    }

    private void read() {
        try {
            long askedNanos = clock.nanos(); // what is read is not older than this
            last = new Read(pools.get().stream().map(PoolView::counts).toList(), askedNanos);
        } catch (RuntimeException e) {
            last = null;
            LOG.debug("the pools cannot be read now", e);
        } finally {
            nextNanos = clock.nanos() + EVERY.toNanos();
            reading.set(false);
        }
    }

    @Override
    public void close() {
        reader.shutdownNow();
    }
}
