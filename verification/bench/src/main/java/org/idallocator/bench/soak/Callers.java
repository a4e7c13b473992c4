package org.idallocator.bench.soak;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.idallocator.bench.Together;
import org.idallocator.bench.process.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Callers who ask for single eightbytes, each over a connection that is kept, and keep what they get. Whatever is not
 * answered with 200 has failed, and is not asked again.
 */
final class Callers {
    private static final int CALLERS = 16;
    private static final String PATH = "/ids/eightbyte";
    private static final int HEX = 16;
    private static final double SECOND = 1e9;
    private static final long LONGEST_NANOS = 3_600_000_000_000L;

    private final int port;
    private final List<LongStream.Builder> ids = new ArrayList<>();

    /** Callers of a port of this machine. */
    Callers(int port) {
        this.port = port;
        for (int i = 0; i < CALLERS; i++) {
            ids.add(LongStream.builder());
        }
    }

    /**
     * What a time of asking gave.
     *
     * @param asked how many requests there were
     * @param failed how many of them were not answered with 200
     * @param perSecond answers a second
     * @param p99Millis the time within which 99 of 100 requests were answered, from when each was due
     */
    record Asked(long asked, long failed, double perSecond, double p99Millis) {}

    /** Asks as fast as answers come. */
    Run asFastAsPossible() {
        return new Run(0);
    }

    /** Asks so many times a second, whether answers come or not. */
    Run at(double perSecond) {
        return new Run((long) (SECOND / perSecond));
    }

    /** How many IDs came, and how many of them were there before; to be asked once. */
    long[] seenAndTwice() {
        long[] all = ids.stream().flatMapToLong(LongStream.Builder::build).toArray();
        Arrays.parallelSort(all);
        long twice = 0;
        for (int i = 1; i < all.length; i++) {
            twice += all[i] == all[i - 1] ? 1 : 0;
        }
        return new long[] {all.length, twice};
    }

    /** Asking that goes on until it is ended, or closed. */
    final class Run implements AutoCloseable {
        private final long intervalNanos;
        private final long fromNanos = System.nanoTime();
        private final AtomicLong next = new AtomicLong();
        private final AtomicLong failed = new AtomicLong();
        private final Histogram times = new ConcurrentHistogram(LONGEST_NANOS, 3);
        private final ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        private final List<Future<?>> asking = new ArrayList<>();
        private volatile boolean ending;

        private Run(long intervalNanos) {
            this.intervalNanos = intervalNanos;
            for (LongStream.Builder own : ids) {
                asking.add(threads.submit(() -> ask(own)));
            }
        }

        private void ask(LongStream.Builder own) {
            Connection connection = null;
            while (!ending) {
                long dueNanos = due();
                boolean answered = false;
                try {
                    connection = connection == null ? new Connection(port) : connection;
                    answered = keep(own, connection.text(PATH, "text/plain"));
                } catch (UncheckedIOException e) {
                    // counted below, like any other answer that is none
                }
                if (!answered) {
                    failed.incrementAndGet();
                    close(connection);
                    connection = null;
                }
                times.recordValue(Math.min(LONGEST_NANOS, System.nanoTime() - dueNanos));
            }
            close(connection);
        }

        /** Returns whether that is an ID. */
        private static boolean keep(LongStream.Builder own, Connection.Text answer) {
            if (answer.status() == 200) {
                own.add(Long.parseUnsignedLong(answer.body().substring(0, HEX), HEX));
            }
            return answer.status() == 200;
        }

        private static void close(@Nullable Connection connection) {
            if (connection != null) {
                connection.close();
            }
        }

        /** Waits until the next request is due, and returns when that was. */
        private long due() {
            long number = next.getAndIncrement();
            if (intervalNanos == 0) {
                return System.nanoTime();
            }
            long dueNanos = fromNanos + number * intervalNanos;
            for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            return dueNanos;
        }

        /** Has nobody ask again, and waits for nothing. */
        @Override
        public void close() {
            ending = true;
            threads.shutdown();
        }

        /**
         * Ends the asking, after the answers that are due. Throws {@link IllegalStateException} where a caller had to
         * stop.
         */
        Asked end() {
            close();
            double seconds = (System.nanoTime() - fromNanos) / SECOND;
            Together.await(asking);
            long asked = times.getTotalCount();
            return new Asked(
                    asked, failed.get(), (asked - failed.get()) / seconds, times.getValueAtPercentile(99) / 1e6);
        }
    }
}
