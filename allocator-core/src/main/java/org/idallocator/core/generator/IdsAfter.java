package org.idallocator.core.generator;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.Bounds;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdSink;

/**
 * Draws from an {@link IdGenerator} whose IDs all sort after one that the caller has seen, whichever slot or replica
 * made that one. {@link IdGenerator#after} gives it. Immutable, thread-safe.
 *
 * <pre>{@code
 * IdGenerator<Sno> snos = LocalIds.onSystemClock().generators(7).of(Sno.class);
 * Sno question = snos.next();                              // here, or at another replica
 * Sno answer = snos.after(question).next();                // sorts after the question
 * List<Sno> answers = snos.after(question).next(100);      // so does each of these; among each other they are as any
 * }</pre>
 *
 * <p><b>The order.</b> Each ID that was drawn is compared with the one that was seen, as unsigned bytes, and is handed
 * over only if it is greater. So clocks decide how long a draw takes, and never the order. IDs that do not sort after
 * are dropped, and nobody gets them: mostly one a call. A transaction is handed over as a whole or dropped as a whole.
 * It is an order for those who pass IDs along, and not the order of commits.
 *
 * <p><b>The wait.</b> IDs of a later tick always sort after. While the clock is below the seen ID's tick, a draw waits
 * until it is not. A draw of one ID then tries that tick, because the next ID of the same slot sorts after; if that one
 * does not, it waits until the tick is past. A draw of several waits for that first. The clock is waited for, and never
 * pushed. These waits of a call take {@code maxWait} together at most, beside the waits of every draw, and
 * {@link WaitListener} hears of them alike. Where the clock is behind for longer than that, nothing is drawn.
 *
 * <p>Draws throw what those of the generator throw, also while they wait for the clock: {@link FencedException} when
 * nothing serves any more, and {@link CancellationException} when the thread is interrupted. Besides, they throw
 * {@link AheadException} and {@link TooFarAheadException}.
 *
 * @param <T> the type of the IDs
 */
public final class IdsAfter<T extends Id> {
    private static final int GID_TYPE_SHIFT = Long.SIZE - Gid.PREFIX_BITS;

    private final IdGenerator<T> ids;
    private final FairQueue queue;
    private final TickUnit unit;
    private final T seen;
    private final long seenTick;

    IdsAfter(IdGenerator<T> ids, T seen) {
        if (seen instanceof EightByteId) {
            throw new IllegalArgumentException(
                    "eightbytes do not sort by time, so none is drawn after another: " + seen);
        }
        this.ids = ids;
        this.queue = ids.queue;
        this.unit = queue.unit;
        this.seen = seen;
        Instant time = seen.time();
        this.seenTick = unit.tickAt(time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000);
        GidGenerator.typeOf(ids.variant).map(GidType::prefix).ifPresent(this::requireSortsAfter);
    }

    /** The same with another ID that was seen, if that is the greater one: then IDs sort after both. */
    public IdsAfter<T> after(T other) {
        IdsAfter<T> otherwise = new IdsAfter<>(ids, other);
        return sortsAfter(other.high(), other.low()) ? otherwise : this;
    }

    /** The same with a variant in the place of the generator's. */
    IdsAfter<T> with(Variant variant) {
        return new IdsAfter<>(ids.with(variant), seen);
    }

    /** One ID. */
    public T next() {
        List<T> drawn = next(1);
        return drawn.get(drawn.size() - 1); // a transaction comes before its object
    }

    /** A list of IDs, all of them or none, as {@link IdGenerator#next(int)} draws it. */
    public List<T> next(int count) {
        Bounds.require("count", count, 1, IdGenerator.LARGEST_LIST);
        List<T> drawn = new ArrayList<>();
        next(count, (high, low) -> drawn.add(ids.reader.of(high, low)));
        return Collections.unmodifiableList(drawn);
    }

    /** A batch, as bits, as {@link IdGenerator#next(int, IdSink)} draws it. */
    public void next(int count, IdSink sink) {
        draw(count, count, sink);
    }

    /**
     * The same, but returns as soon as the sink has received some, as {@link IdGenerator#nextUpTo} does.
     *
     * @return how many IDs the sink has received, 1 to {@code count}; of a transaction, how many objects
     */
    public int nextUpTo(int count, IdSink sink) {
        return draw(count, 1, sink);
    }

    /** Hands IDs to the sink until it has {@code least} of {@code count}. What the sink throws comes out as it is. */
    private int draw(int count, int least, IdSink sink) {
        Bounds.count(count);
        FairQueue.Call call = new FairQueue.Call(count == 1, ids.variant, ids.waits, ids.overflows);
        try {
            await(call, count == 1 ? seenTick : seenTick + 1);
            int drawn = 0;
            while (drawn < least) {
                Sieve sieve = new Sieve(sink);
                int left = count - drawn;
                int emitted = queue.take(call, left).emit(left, ids.variant, sieve);
                drawn += sieve.passed(emitted);
                if (sieve.dropped > 0 && drawn < least) {
                    await(call, seenTick + 1);
                }
            }
            return drawn;
        } finally {
            call.ends();
        }
    }

    /** Waits until the clock reads a tick: the seen ID's, or the next. Does nothing where it does already. */
    private void await(FairQueue.Call call, long tick) {
        long micros = queue.clock.micros();
        while (unit.tickAt(micros) < tick) {
            queue.requireServing();
            requirePatience(call, micros);
            queue.sleepForClock(call, unit.nanosUntil(tick, micros));
            micros = queue.clock.micros();
        }
    }

    /** The seen ID's tick has to pass in time: who waits for less may have to wait on for that. */
    private void requirePatience(FairQueue.Call call, long micros) {
        Instant now = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        Duration farthest = ids.farthest;
        if (farthest != null && Duration.between(now, seen.time()).compareTo(farthest) > 0) {
            throw new TooFarAheadException(seen.time(), now, farthest);
        }
        long left = unit.nanosUntil(seenTick + 1, micros);
        if (left > queue.patienceNanos(call)) {
            throw new AheadException(unit.instantAt(seenTick + 1), Duration.ofNanos(left), queue.maxWait());
        }
    }

    private boolean sortsAfter(long high, long low) {
        int upper = Long.compareUnsigned(high, seen.high());
        return upper != 0 ? upper > 0 : Long.compareUnsigned(low, seen.low()) > 0;
    }

    /** Gids sort by their types first, so those of an earlier type never sort after, however long one waits. */
    private void requireSortsAfter(int gidPrefix) {
        if (seen instanceof Gid gid && gidPrefix < gid.prefix()) {
            throw new IllegalArgumentException(
                    "gids sort by type first, volume, log, segment: none of an earlier type is after the %s %s"
                            .formatted(gid.type(), gid));
        }
    }

    /** Lets through what sorts after the ID that was seen, of the numbers that one step took. */
    private final class Sieve implements IdSink {
        private final IdSink sink;
        private final boolean whole = ids.variant.equals(MuidGenerator.TRANSACTION);
        private int dropped;

        Sieve(IdSink sink) {
            this.sink = sink;
        }

        /** The first ID of a transaction is its least. */
        @Override
        public void accept(long high, long low) {
            if ((whole && dropped > 0) || !sortsAfter(high, low)) {
                requireSortsAfter((int) (high >>> GID_TYPE_SHIFT));
                dropped++;
            } else {
                sink.accept(high, low);
            }
        }

        /** How many of so many IDs, or objects, went through: none of a transaction that was dropped. */
        int passed(int emitted) {
            return whole && dropped > 0 ? 0 : emitted - dropped;
        }
    }
}
