package org.idallocator.core.generator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.id.Bounds;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdSink;
import org.jspecify.annotations.Nullable;

/**
 * The generator that programs call. It draws from whatever tenure serves, across changes of tenure. When a tick is used
 * up, a draw waits for at most {@code maxWait} without progress. Thread-safe. {@link #with}, {@link #as},
 * {@link #onOverflow} and {@link #onWait} give another generator on the same source: what keeps the IDs of one apart
 * keeps those of both apart. {@link #after} gives one whose IDs sort after an ID that the caller has seen.
 *
 * <pre>{@code
 * IdGenerator<Sno> snos = LocalIds.onSystemClock().sno(SnoPartition.of(9), SnoRange.ALL).with(SnoGenerator.metabyte(3));
 * Sno one = snos.next();
 * List<Sno> some = snos.next(100);
 * Set<Sno> few = snos.stream().limit(10).collect(Collectors.toSet());
 * ByteBuffer keys = ByteBuffer.allocate(1_000 * Sno.BYTES);
 * snos.next(1_000, (high, low) -> keys.putShort((short) high).putLong(low));     // as bits, without garbage
 * }</pre>
 *
 * <p>A parameter of the scheme is fixed first, by {@code with}. The only number that a draw takes is a count.
 *
 * <p>Where a tick holds eight IDs or more, a call for one ID does not queue behind calls for several. When a tick is
 * used up, the next ticks serve calls for one ID in the order in which they came. These calls get all of a tick, or
 * seven eighths while calls for several wait, which share the rest. A call for one ID may pass an earlier call for
 * several. A call that need not wait may pass calls that wait. Ticks of fewer IDs are not shared: ticks of muid, of
 * eightbyte with one ID a millisecond, and of sno with a range below eight. Whoever asks first when such a tick begins
 * is served. A gid never waits.
 *
 * <p>Draws throw {@link FencedException} when no tenure serves, or when the clock was put back by more than callers
 * wait; {@link OverCapacityException} when others have taken all of the ticks that come in time; and
 * {@link CancellationException} when the waiting thread is interrupted, whose flag stays set. All have the caller's
 * stack trace. The IDs that a failed draw had drawn until then are gone: no other draw gives them, so asking again is
 * safe.
 *
 * @param <T> the type of the IDs
 */
public final class IdGenerator<T extends Id> {
    /** The largest count of {@link #next(int)}: a list of so many IDs takes some 300 MB. */
    public static final int LARGEST_LIST = 10_000_000;

    /**
     * A list has room for so many IDs from the beginning. It grows only when there are more, so that a refusal costs
     * nothing.
     */
    private static final int FIRST_ROOM = 1_024;

    final FairQueue queue;
    final IdReader<T> reader;
    final Variant variant;
    final WaitListener waits;
    final @Nullable Overflows overflows;
    final @Nullable Duration farthest; // how far ahead an ID can be that a caller has seen; null where nobody knows

    /** Draws without a variant; {@code unit} is the scheme's. */
    public IdGenerator(
            TenureSource<? extends Generator> source,
            IdReader<T> reader,
            TickUnit unit,
            Duration maxWait,
            Clock clock) {
        this(
                new FairQueue(source, unit, maxWait.toNanos(), clock),
                reader,
                Variant.NONE,
                WaitListener.NONE,
                null,
                null);
    }

    private IdGenerator(
            FairQueue queue,
            IdReader<T> reader,
            Variant variant,
            WaitListener waits,
            @Nullable Overflows overflows,
            @Nullable Duration farthest) {
        this.queue = queue;
        this.reader = reader;
        this.variant = variant;
        this.waits = waits;
        this.overflows = overflows;
        this.farthest = farthest;
    }

    /**
     * The same generator with a variant in place of any other, as in {@code snos.with(SnoGenerator.metabyte(3))}. With
     * a variant of another scheme, its draws throw {@link IllegalArgumentException}.
     */
    public IdGenerator<T> with(Variant newVariant) {
        return new IdGenerator<>(queue, reader, newVariant, waits, overflows, farthest);
    }

    /**
     * The same generator with another type of value, as in
     * {@code gids.with(GidGenerator.type(GidType.LOG)).as(LogId::new)}. {@code newReader} must accept every ID of the
     * variant.
     */
    public <U extends Id> IdGenerator<U> as(IdReader<U> newReader) {
        return new IdGenerator<>(queue, newReader, variant, waits, overflows, farthest);
    }

    /**
     * The same generator with this listener in place of any other. The listener hears when callers of the returned
     * generator wait. The waiting caller hands the call to {@code executor}. An executor that runs work in the caller's
     * thread makes the caller wait. Draws that need not wait pay nothing.
     */
    public IdGenerator<T> onOverflow(OverflowListener listener, Executor executor) {
        Overflows counts = new Overflows(listener, executor, queue.unit, queue.clock);
        return new IdGenerator<>(queue, reader, variant, waits, counts, farthest);
    }

    /** The same on a thread of {@link ForkJoinPool#commonPool}. */
    public IdGenerator<T> onOverflow(OverflowListener listener) {
        return onOverflow(listener, ForkJoinPool.commonPool());
    }

    /**
     * The same generator with this listener in place of any other. The listener hears of each call of the returned
     * generator that has to wait, and may refuse the call. Draws that need not wait pay nothing.
     */
    public IdGenerator<T> onWait(WaitListener listener) {
        return new IdGenerator<>(queue, reader, variant, listener, overflows, farthest);
    }

    /**
     * The same generator, for which no ID that a caller has seen can be further ahead of the clock than this, and which
     * refuses others with {@link TooFarAheadException}. Where nobody says how far that is, however far counts as
     * {@link AheadException}. An {@code IdAllocator} says it of its generators.
     */
    public IdGenerator<T> withFarthestSeen(Duration ahead) {
        return new IdGenerator<>(queue, reader, variant, waits, overflows, ahead);
    }

    /**
     * Draws of this generator whose IDs all sort after one that the caller has seen, whichever slot or replica made
     * that one: {@code snos.after(seen).next()}. They have this generator's variant and listeners.
     *
     * @throws IllegalArgumentException for an eightbyte, as eightbytes do not sort by time; and for a gid of a type
     *     after this generator's, as gids sort by type first
     */
    public IdsAfter<T> after(T seen) {
        return new IdsAfter<>(this, seen);
    }

    /** One ID. Waits and throws as every draw does. */
    public T next() {
        T id = queue.drawOne(variant, reader);
        return id == null ? nextByQueue() : id;
    }

    private T nextByQueue() {
        List<T> drawn = next(1);
        return drawn.get(drawn.size() - 1); // a transaction comes before its object
    }

    /**
     * A list of IDs, in the order in which they were drawn; all of them or none. When only a part can be drawn, this
     * throws after waiting for at most {@code maxWait} without progress, as every draw does, and the IDs of that part
     * are gone.
     *
     * @param count 1 to {@link #LARGEST_LIST}; {@link #stream} and {@link #next(int, IdSink)} give more
     * @return an unmodifiable list of {@code count} IDs; with {@link MuidGenerator#TRANSACTION} the transaction's own
     *     ID comes before them
     * @throws IllegalArgumentException for any other count, before anything is drawn
     */
    public List<T> next(int count) {
        List<T> ids = new ArrayList<>(Math.min(Bounds.require("count", count, 1, LARGEST_LIST), FIRST_ROOM));
        next(count, (high, low) -> ids.add(reader.of(high, low)));
        return Collections.unmodifiableList(ids);
    }

    /**
     * IDs without end, each drawn as {@link #next()} does when the stream's consumer asks for it, and not before. The
     * consumer sets the end: {@code stream().limit(10)}. When a draw throws, the terminal operation throws the same
     * exception. The IDs before it were issued, and another stream goes on. In parallel, a stream may draw more IDs
     * than its consumer gets.
     */
    public Stream<T> stream() {
        return Stream.generate(this::next);
    }

    /**
     * A batch, as bits, without garbage: the sink is called in the calling thread, {@code count} times, and once more
     * for a transaction's own ID. When the call throws, no other draw gives the IDs that the sink has received. An
     * exception of the sink ends the draw, and is passed on; IDs that were drawn and not handed over are gone.
     *
     * @param count 1 or more; a transaction has at most {@link MuidTransaction#MAX_SIZE} objects
     * @throws IllegalArgumentException for any other count, before anything is drawn
     */
    public void next(int count, IdSink sink) {
        draw(count, count, sink);
    }

    /**
     * The same, but returns as soon as the sink has received some: the IDs of one tick of one slot (of muid, of several
     * ticks), or a part of them where others wait. A program that draws many can thus look in between whether it still
     * wants them.
     *
     * @return how many IDs the sink has received, 1 to {@code count}; of a transaction, how many objects
     */
    public int nextUpTo(int count, IdSink sink) {
        return draw(count, 1, sink);
    }

    /** Hands IDs to the sink until it has {@code least} of {@code count}. What the sink throws comes out as it is. */
    private int draw(int count, int least, IdSink sink) {
        FairQueue.Call call = new FairQueue.Call(count == 1, variant, waits, overflows);
        int drawn = 0;
        try {
            do {
                drawn += queue.take(call, count - drawn).emit(count - drawn, variant, sink);
            } while (drawn < least);
            return drawn;
        } finally {
            call.ends();
        }
    }

    /**
     * One ID, as bits, for a thread that may not wait for a tick. After false, {@link #next()} waits, serves or says
     * why. Nothing was drawn then, for one of these reasons: the tick is used up, or its rest is for callers that wait;
     * the tenure's first tick is ahead; the clock is behind; a tick is passed over for its first byte; another tenure
     * takes over at this moment; no tenure serves. A lock may be held for some instructions when a tick begins or is
     * used up, with one ID a millisecond, or when the clock steps back. The first gid of a process loads the cipher.
     * With {@link MuidGenerator#TRANSACTION} the sink receives the transaction's own ID before its one object. An
     * exception of the sink is passed on.
     *
     * @return whether the sink has received the ID
     * @throws IllegalArgumentException for a variant of another scheme, before anything is drawn
     */
    public boolean poll(IdSink sink) {
        T id = queue.drawOne(variant, reader);
        if (id != null) {
            sink.accept(id.high(), id.low());
            return true;
        }
        Taken taken = queue.poll(variant);
        return taken.count() > 0 && taken.emit(1, variant, sink) == 1;
    }
}
