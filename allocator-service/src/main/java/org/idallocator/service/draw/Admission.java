package org.idallocator.service.draw;

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
     * Admits an order, until what this returns is closed. A large answer has a place among the streams, and needs no other one: once it
     * has begun, no limit ends it.
     *
     * @param listener hears of its waits
     * @throws BusyException where too many large answers are being sent, or too many callers wait for several IDs
     * @throws OverCapacityException where the order would take too long beside others
     */
    Admitted admit(Order order, DrawListener listener) {
        if (!order.streamed()) {
            return admitCollected(order, listener);
        }
        streams.take();
        try {
            return new Admitted(backlog.begin(order.draws()), new Waits(listener), streams::giveBack);
        } catch (OverCapacityException e) {
            streams.giveBack();
            throw e;
        }
    }

    /**
     * Does nothing where an order that has to wait would be admitted now. Never waits.
     *
     * @throws BusyException where its place is taken
     * @throws OverCapacityException as {@link #admit}
     */
    void requireRoom(Order order) {
        places(order).requireFree();
        if (!order.single()) {
            backlog.requireRoom(order.draws());
        }
    }

    /** Whether {@link #requireRoom} does nothing now. */
    boolean hasRoom(Order order) {
        return !places(order).full() && (order.single() || backlog.hasRoom(order.draws()));
    }

    private Places places(Order order) {
        return order.streamed() ? streams : order.single() ? singles : batches;
    }

    private Admitted admitCollected(Order order, DrawListener listener) {
        if (order.single()) {
            return new Admitted(backlog.begin(order.draws()), waitsOfOne(listener), () -> {});
        }
        batches.requireFree(); // before anything is drawn
        KeptPlace place = new KeptPlace(batches, listener);
        return new Admitted(backlog.begin(order.draws()), place, place::giveBack);
    }

    /** Has callers for one ID take places while they wait, and tells {@code listener} of those that have waited. */
    WaitListener waitsOfOne(DrawListener listener) {
        return new WaitListener() {
            @Override
            public void begins() {
                singles.take();
            }

            @Override
            public void waited(long nanos) {
                singles.giveBack();
                if (nanos > 0) {
                    listener.waited(nanos, true);
                }
            }
        };
    }

    /** Tells of the waits of one answer, which may be many. For one thread. */
    private static class Waits implements WaitListener {
        private final DrawListener listener;
        private boolean before;

        Waits(DrawListener listener) {
            this.listener = listener;
        }

        @Override
        public final void waited(long nanos) {
            if (nanos > 0) {
                listener.waited(nanos, !before);
                before = true;
            }
        }
    }

    /**
     * The place of one caller for several IDs: taken when that waits for the first time, and kept until all is over. So nobody who has
     * some of the IDs is refused because others have come meanwhile. For one thread.
     */
    private static final class KeptPlace extends Waits {
        private final Places places;
        private boolean taken;

        KeptPlace(Places places, DrawListener listener) {
            super(listener);
            this.places = places;
        }

        @Override
        public void begins() {
            if (!taken) {
                places.take();
                taken = true;
            }
        }

        void giveBack() {
            if (taken) {
                places.giveBack();
            }
        }
    }

    /**
     * An order that was admitted.
     *
     * @param batch how much of it is drawn
     * @param waits hears of its waits
     * @param after what else is to be done when it is over
     */
    record Admitted(Backlog.Batch batch, WaitListener waits, Runnable after) implements AutoCloseable {
        @Override
        public void close() {
            batch.close();
            after.run();
        }
    }
}
