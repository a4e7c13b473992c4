package org.idallocator.core.generator;

import java.util.concurrent.CancellationException;
import java.util.function.LongConsumer;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FencedException;

/**
 * Callers of one queue: those who stand in line, because tick 5 is used up, and those who come first in tick 6, which
 * has eight numbers. A number is told as {@code 600}, {@code 601} and so on.
 */
final class Callers {
    /** What {@link #waits} returns when the call is over without a number. */
    static final int IN_VAIN = -2;

    private static final int CAPACITY = Line.SHARES;
    private static final long PATIENCE_NANOS = 1_500; // one tick is 1,000: there is time to ask twice

    private final Generator slot;
    private final FairQueue queue;

    private Callers(LongConsumer parks) {
        Sequences.pass(0);
        Sequences.show(5);
        Clock clock = new ActorsParkingClock(parks);
        slot = Sequences.slot(Sequences.plain(CAPACITY, Fence.unbounded(clock, Sequences.FLOOR, 1_000)));
        slot.take(CAPACITY, false);
        queue = new FairQueue(() -> slot, Sequences.MICROS, PATIENCE_NANOS, clock);
    }

    /** Who waits sleeps no time, but his patience passes; so he asks once more in vain, and is refused. */
    static Callers impatient() {
        return new Callers(nanos -> Sequences.pass(Sequences.clock().nanos() + nanos));
    }

    /** Who waits is interrupted while he sleeps. */
    static Callers interrupted() {
        return new Callers(nanos -> Thread.currentThread().interrupt());
    }

    /** Asks for a number in tick 5, and stands in line. */
    int waits() {
        Sequences.pass(0);
        Sequences.show(5);
        FairQueue.Call call = new FairQueue.Call(true, Variant.NONE, WaitListener.NONE, null);
        try {
            return number(queue.take(call, 1));
        } catch (OverCapacityException | FencedException | CancellationException e) {
            return IN_VAIN;
        } finally {
            boolean unused = Thread.interrupted();
        }
    }

    /** Asks for a number in tick 6, and serves those in line before. */
    int polls() {
        Sequences.pass(0);
        Sequences.show(6);
        return number(queue.poll(Variant.NONE));
    }

    /** How many numbers of tick 6 nobody has taken. */
    int left() {
        Sequences.pass(0);
        Sequences.show(6);
        return slot.take(CAPACITY, false).count();
    }

    private static int number(Taken taken) {
        return taken.count() == 0 ? Sequences.WAIT : (int) taken.tick() * 100 + taken.first();
    }

    /** The actors' clock, on which a caller may wait. */
    private record ActorsParkingClock(LongConsumer parks) implements Clock {
        @Override
        public long micros() {
            return Sequences.clock().micros();
        }

        @Override
        public long nanos() {
            return Sequences.clock().nanos();
        }

        @Override
        public void park(long nanos) {
            parks.accept(nanos);
        }
    }
}
