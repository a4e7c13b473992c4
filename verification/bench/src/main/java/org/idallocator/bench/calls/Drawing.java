package org.idallocator.bench.calls;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Gid;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.LocalIds;
import org.idallocator.core.scheme.SnoScheme;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One ID, as a program draws it: asked of the generator, checked against the fence, made a value. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Drawing {
    private static final Duration MAX_WAIT = Duration.ofSeconds(2);

    private final AtomicLong last = new AtomicLong();
    private volatile long deadlineNanos = System.nanoTime() + Duration.ofDays(1).toNanos();
    private final Clock clock = new QuickClock(Clock.system());
    private final IdGenerator<Sno> snos = sno(clock);
    private volatile Sno seen = snos.next();
    private final IdGenerator<Gid> gids = LocalIds.onSystemClock().gid(GidType.VOLUME);
    private final IdGenerator<Muid> muids = LocalIds.onSystemClock().muid();
    private final IdGenerator<EightByteId> eightbytes = LocalIds.onSystemClock().eightbyte(1, 1);

    private static IdGenerator<Sno> sno(Clock clock) {
        SnoScheme scheme = new SnoScheme(1, 1, 1);
        long now = scheme.unit().tickAt(clock.micros());
        Fence fence = new Fence(
                clock,
                now,
                scheme.unit().maxTick(),
                clock.nanos() + Duration.ofDays(1).toNanos());
        var generator = scheme.open(0, fence);
        return scheme.generator(() -> generator, MAX_WAIT, clock);
    }

    /**
     * What any ID that follows the time costs at least: a reading of the clock, one word that all threads swap, and a
     * value.
     */
    @Benchmark
    public Sno clockSwapAndValue() {
        while (true) {
            long seen = last.get();
            long now = System.currentTimeMillis();
            long next = Math.max(now << 16, seen + 1);
            if (last.compareAndSet(seen, next)) {
                return new Sno(0, next);
            }
        }
    }

    /** The same with a deadline, and on the generator's clock: monotonic time, wall time by it, and the deadline. */
    @Benchmark
    public Sno clockDeadlineSwapAndValue() {
        while (true) {
            long nanos = clock.nanos();
            long now = clock.recentMicros(nanos);
            long seen = last.get();
            if (nanos - deadlineNanos >= 0) {
                throw new IllegalStateException("the deadline has passed");
            }
            long next = Math.max(now << 8, seen + 1);
            if (last.compareAndSet(seen, next)) {
                return new Sno(0, next);
            }
        }
    }

    /** What remains of that without a clock, but with a value: no generator that swaps a word for each ID is faster. */
    @Benchmark
    public Sno swapAndValue() {
        while (true) {
            long seen = last.get();
            if (last.compareAndSet(seen, seen + 1)) {
                return new Sno(0, seen);
            }
        }
    }

    @Benchmark
    public UUID randomUuid() {
        return UUID.randomUUID();
    }

    @Benchmark
    public Sno sno() {
        return snos.next();
    }

    /** The same after the one before, with which it is compared. */
    @Benchmark
    public Sno snoAfterTheLast() {
        Sno next = snos.after(seen).next();
        seen = next;
        return next;
    }

    @Benchmark
    public Gid gid() {
        return gids.next();
    }

    /** Limited by its specification to one transaction in a microsecond. */
    @Benchmark
    public Muid muid() {
        return muids.next();
    }

    /** Limited by its specification to 64 IDs in a millisecond. */
    @Benchmark
    public EightByteId eightbyte() {
        return eightbytes.next();
    }
}
