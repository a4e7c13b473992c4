package org.idallocator.service.draw;

import java.util.function.LongConsumer;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.generator.WaitListener;

/**
 * Who may draw from one scheme now. Thread-safe.
 *
 * @param streams the places of large answers, of all schemes together
 * @param singles the places of those who wait for one ID
 * @param batches the places of those who wait for several
 * @param backlog the batches that are being drawn
 */
record Admission(Places streams, Places singles, Places batches, Backlog backlog) {

    /**
     * Admits an order, until what this returns is closed.
     *
     * @throws BusyException where too many large answers are being sent
     * @throws OverCapacityException where the order would take too long beside others
     */
    Admitted admit(Order order) {
        if (!order.streamed()) {
            return new Admitted(backlog.begin(order.draws()), () -> {});
        }
        streams.take();
        try {
            return new Admitted(backlog.begin(order.draws()), streams::giveBack);
        } catch (OverCapacityException e) {
            streams.giveBack();
            throw e;
        }
    }

    /** Has those who are about to wait for one ID take places, and tells {@code listener} of those that have waited. */
    WaitListener singleWaits(DrawListener listener) {
        return waits(singles, nanos -> listener.waited(nanos, true));
    }

    /** The same for one answer with several IDs, which may wait many times. Not thread-safe. */
    WaitListener batchWaits(DrawListener listener) {
        return waits(batches, new LongConsumer() {
            private boolean waited;

            @Override
            public void accept(long nanos) {
                listener.waited(nanos, !waited);
                waited = true;
            }
        });
    }

    private static WaitListener waits(Places waiting, LongConsumer waited) {
        return new WaitListener() {
            @Override
            public void begins() {
                waiting.take();
            }

            @Override
            public void waited(long nanos) {
                waiting.giveBack();
                if (nanos > 0) {
                    waited.accept(nanos);
                }
            }
        };
    }

    /**
     * An order that was admitted.
     *
     * @param batch how much of it is drawn
     * @param after what else is to be done when it is over
     */
    record Admitted(Backlog.Batch batch, Runnable after) implements AutoCloseable {
        @Override
        public void close() {
            batch.close();
            after.run();
        }
    }
}
