package org.idallocator.dropwizard.ids;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.idallocator.core.generator.OverCapacityException;

/**
 * The batches of one scheme that are being drawn. They share the IDs of each tick. So a batch of n IDs takes as long as
 * its own n IDs together with up to n of every other batch, bounded by what that one has still to draw. If this would
 * take too long, the batch is refused before anything is drawn for it. While a batch sends bytes to a slow client, it
 * draws nothing, and does not count. Thread-safe.
 */
final class Backlog {
    private static final double SECOND_MILLIS = 1_000;

    private final LongSupplier perSecond;
    private final Duration longest;
    private final Set<Batch> batches = new HashSet<>();

    /**
     * A backlog without batches.
     *
     * @param perSecond how many IDs a second the serving slots give; {@link Long#MAX_VALUE} where they have no limit
     * @param longest how long a batch may take, inclusive
     */
    Backlog(LongSupplier perSecond, Duration longest) {
        this.perSecond = perSecond;
        this.longest = longest;
    }

    /**
     * Begins a batch, which counts until it is closed. A request for a single ID does not count.
     *
     * @throws OverCapacityException when the batch would take too long
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

    /** A batch that is being drawn. One thread changes it; other threads read it. */
    final class Batch implements AutoCloseable {
        private final long ids;
        private volatile long left;
        private volatile boolean sending;

        private Batch(long ids) {
            this.ids = ids;
            this.left = ids;
        }

        /** Says how many IDs were drawn so far. */
        void setDrawn(long drawn) {
            left = ids - drawn;
        }

        /** How many IDs of this batch are drawn while a new batch of {@code newIds} IDs is drawn. */
        private long competing(long newIds) {
            return sending ? 0 : Math.max(0, Math.min(newIds, left));
        }

        /** Says whether bytes are being sent to the client now; meanwhile the batch draws no IDs. */
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
