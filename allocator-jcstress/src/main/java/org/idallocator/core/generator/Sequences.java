package org.idallocator.core.generator;

import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FencedException;

/**
 * What the tests share: sequences on a clock whose reading each actor chooses, and a claim as one number. Ticks are
 * microseconds from 0.
 */
final class Sequences {
    static final long FLOOR = 1;
    /** What a claim is when the sequence said to wait, and when it was closed. */
    static final int WAIT = -1;

    static final int CLOSED = -2;

    private Sequences() {}

    static TickSequence plain(int capacity) {
        return of(new SequenceShape(new TickUnit(0, 1, 40), capacity, false, false, 1));
    }

    static TickSequence continuing(int capacity) {
        return of(new SequenceShape(new TickUnit(0, 1, 40), capacity, true, false, 1));
    }

    static TickSequence spanning(int ticks) {
        return of(new SequenceShape(new TickUnit(0, 1, 40), 1, false, false, ticks));
    }

    static TickSequence tickTocking(int capacity) {
        return of(new SequenceShape(new TickUnit(0, 1, 39), capacity, false, true, 1));
    }

    private static TickSequence of(SequenceShape shape) {
        return new TickSequence(shape, ActorsClock.INSTANCE, new Fence(ActorsClock.INSTANCE, FLOOR, 1_000, 1), 0);
    }

    /** Claims at a tick: tick, toggle and first place as the digits {@code tick * 100 + toggle * 10 + place}. */
    static int claim(TickSequence sequence, long tick, int wanted) {
        ActorsClock.INSTANCE.tick.set(tick);
        try {
            Claim claim = sequence.claim(wanted);
            return claim.count() == 0 ? WAIT : (int) claim.tick() * 100 + claim.toggle() * 10 + claim.first();
        } catch (FencedException e) {
            return CLOSED;
        }
    }

    /** How many places a batch got. */
    static int count(TickSequence sequence, long tick, int wanted) {
        ActorsClock.INSTANCE.tick.set(tick);
        return sequence.claim(wanted).count();
    }

    /** Every actor, being one thread, sees its own time. */
    private static final class ActorsClock implements Clock {
        private static final ActorsClock INSTANCE = new ActorsClock();

        private final ThreadLocal<Long> tick = ThreadLocal.withInitial(() -> FLOOR);

        @Override
        public long micros() {
            return tick.get();
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void park(long nanos) {
            throw new UnsupportedOperationException("never sleeps");
        }
    }
}
