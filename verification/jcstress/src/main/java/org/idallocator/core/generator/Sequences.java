package org.idallocator.core.generator;

import java.time.Duration;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.Muid;

/**
 * What the tests share: sequences and generators on a clock whose reading each actor chooses, and what was taken as one
 * number. Ticks are microseconds from 0.
 */
final class Sequences {
    static final long FLOOR = 1;
    /** What {@link #take} returns when the caller must wait. */
    static final int WAIT = -1;

    /** What {@link #take} returns when the sequence is closed or the fence has tripped. */
    static final int ENDED = -2;

    static final TickUnit MICROS = new TickUnit(0, 1, 40);

    private Sequences() {}

    static TickSequence plain(int capacity) {
        return plain(capacity, open(1_000));
    }

    static TickSequence plain(int capacity, Fence fence) {
        return of(SequenceShape.plain(MICROS, capacity), fence);
    }

    static TickSequence continuing(int capacity) {
        return of(SequenceShape.continuing(MICROS, capacity), open(1_000));
    }

    static TickSequence spanning(int ticks) {
        return of(SequenceShape.spanning(MICROS, ticks), open(1_000));
    }

    static TickSequence tickTocking(int capacity) {
        return of(SequenceShape.tickTocking(new TickUnit(0, 1, 39), capacity), open(1_000));
    }

    /** A generator of at most one ID a millisecond. */
    static EightByteGenerator onePerMillisecond() {
        return new EightByteGenerator(7, 3, true, open(1_000));
    }

    /** A transaction that has no objects yet. */
    static MuidTransaction transaction() {
        show(FLOOR);
        Generator muids = new MuidGenerator(1L << 48, open(1_000));
        return MuidTransaction.begin(
                new IdGenerator<>(() -> muids, Muid::new, MuidGenerator.UNIT, Duration.ZERO, ActorsClock.INSTANCE));
    }

    /** A fence with its deadline at 1 ns. Monotonic time stands still at 0, unless the actor lets it {@link #pass}. */
    static Fence open(long ceiling) {
        return new Fence(ActorsClock.INSTANCE, FLOOR, ceiling, 1);
    }

    /** Lets monotonic time pass, for the calling actor alone. */
    static void pass(long nanos) {
        ActorsClock.INSTANCE.nanos.set(nanos);
    }

    /** Sets what the calling actor's clock reads from now on. */
    static void show(long micros) {
        ActorsClock.INSTANCE.micros.set(micros);
    }

    private static TickSequence of(SequenceShape shape, Fence fence) {
        return new TickSequence(shape, fence, 0);
    }

    /** The sequence itself, of which so many numbers of a tick are used, before monotonic time has passed. */
    static TickSequence used(TickSequence sequence, long tick, int numbers) {
        pass(0);
        int unused = take(sequence, tick, numbers);
        return sequence;
    }

    /**
     * Takes numbers at a tick, and returns {@code tick * 100 + toggle * 10 + first number}, or {@link #WAIT} or
     * {@link #ENDED}.
     */
    static int take(TickSequence sequence, long tick, int wanted) {
        show(tick);
        try {
            Taken taken = sequence.take(wanted, 0);
            return taken.count() == 0 ? WAIT : (int) taken.tick() * 100 + taken.toggle() * 10 + taken.first();
        } catch (FencedException e) {
            return ENDED;
        }
    }

    /**
     * Takes one number where the recent time is in a tick, and returns what {@link #take} does; {@link #WAIT} where
     * only {@code take} can go on.
     */
    static int takeOne(TickSequence sequence, long recentTick) {
        show(recentTick);
        try {
            long word = sequence.takeOne();
            return word == TickSequence.NOT_NOW
                    ? WAIT
                    : (int) sequence.tick(word) * 100 + sequence.toggle(word) * 10 + sequence.number(word);
        } catch (FencedException e) {
            return ENDED;
        }
    }

    /** Takes numbers at a tick, and returns how many there were. */
    static int count(TickSequence sequence, long tick, int wanted) {
        show(tick);
        return sequence.take(wanted, 0).count();
    }

    /** A load balancer of slots with these sequences. */
    static LoadBalancer balancer(TickSequence... sequences) {
        return new LoadBalancer(Stream.of(sequences).map(Sequences::slot).toList());
    }

    /** A slot with this sequence. */
    static Generator slot(TickSequence sequence) {
        return new SequencedGenerator(sequence, "") {
            @Override
            long high(long tick, int toggle) {
                return tick;
            }

            @Override
            long low(long tick, int toggle, int number, Variant variant) {
                return number;
            }
        };
    }

    /** Draws one ID at a tick, and returns how many there were. */
    static int draw(Generator generator, long tick) {
        show(tick);
        return generator.take(1, false).count();
    }

    /** The actors' clock, which nobody waits on. */
    static Clock clock() {
        return ActorsClock.INSTANCE;
    }

    /** A clock that shows each actor, which is one thread, a time of its own. */
    private static final class ActorsClock implements Clock {
        private static final ActorsClock INSTANCE = new ActorsClock();

        private final ThreadLocal<Long> micros = ThreadLocal.withInitial(() -> FLOOR);
        private final ThreadLocal<Long> nanos = ThreadLocal.withInitial(() -> 0L);

        @Override
        public long micros() {
            return micros.get();
        }

        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public void park(long nanos) {
            throw new UnsupportedOperationException("no test waits");
        }
    }
}
