package org.idallocator.dropwizard.ids;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.idallocator.core.generator.OverCapacityException;

/**
 * The batches of one scheme that are being drawn. All of them share what the ticks hold. So a batch of n IDs takes as
 * long as n of its own and up to n of every other one, as many as that has still to get. Where that is too long, the
 * batch is refused before anything is drawn for it. A batch whose client is slow asks for nothing while bytes are sent,
 * and counts for nothing then. Thread-safe.
 */
final class Backlog {
    private static final double SECOND_MILLIS = 1_000;

    private final LongSupplier perSecond;
    private final Duration longest;
    private final Set<Batch> batches = new HashSet<>();

    /**
     * No batches yet.
     *
     * @param perSecond how many IDs the slots that serve give a second; {@link Long#MAX_VALUE} where they are not
     *     limited
     * @param longest how long a batch may take
     */
    Backlog(LongSupplier perSecond, Duration longest) {
        this.perSecond = perSecond;
        this.longest = longest;
    }

    /**
     * A batch that is drawn from now on, until it is closed. A single ID is none, and nobody counts it.
     *
     * @throws OverCapacityException where it would take too long
     */
    synchronized Batch begin(long ids) {
        Batch batch = new Batch(ids);
        if (ids > 1) {
            requireRoom(ids);
            batches.add(batch);
        }
        return batch;
    }

    private void requireRoom(long ids) {
        long others = batches.stream().mapToLong(batch -> batch.competing(ids)).sum();
        Duration time = others == 0 // whoever is alone has all the time that maxCount allows
                ? Duration.ZERO
                : Duration.ofMillis((long) Math.ceil((ids + others) * SECOND_MILLIS / perSecond.getAsLong()));
        if (time.compareTo(longest) > 0) {
            throw new OverCapacityException(
                    ids + " IDs would take some " + time.toSeconds() + " s beside the " + others
                            + " that others wait for, and " + longest.toMillis()
                            + " ms are the longest (limits.longestBatch)",
                    time.minus(longest));
        }
    }

    /** A batch that is being drawn. One thread draws; others look. */
    final class Batch implements AutoCloseable {
        private final long ids;
        private volatile long left;
        private volatile boolean sending;

        private Batch(long ids) {
            this.ids = ids;
            this.left = ids;
        }

        /** So many IDs were drawn so far. */
        void setDrawn(long drawn) {
            left = ids - drawn;
        }

        private long competing(long with) {
            return sending ? 0 : Math.max(0, Math.min(with, left));
        }

        /** Whether its client is being sent bytes now: then this batch asks for no IDs. */
        void setSending(boolean now) {
            sending = now;
        }

        @Override
        public void close() {
            synchronized (Backlog.this) {
                batches.remove(this);
            }
        }
    }
}
