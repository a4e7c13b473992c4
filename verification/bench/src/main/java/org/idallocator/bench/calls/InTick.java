package org.idallocator.bench.calls;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.generator.EightByteGenerator;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.SnoGenerator;
import org.idallocator.core.generator.SnoRange;
import org.idallocator.core.generator.Uid60Generator;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.SnoPartition;
import org.idallocator.core.scheme.LocalIds;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A loop of calls for one ID on the machine's clock, within a tick that has enough of them: of a generator that nobody has waited for,
 * of one whose tick before was used up, so that the loop had to wait, and while others wait for many. Waiting is not measured.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class InTick {
    private static final int SNOS = 2_048; // four threads take no more than a half of what the tick has for them
    private static final int EIGHTBYTES = 12;
    private static final int UID60S = 120;

    @Benchmark
    @OperationsPerInvocation(SNOS)
    public void snoBefore(SnoBefore tick, Blackhole hole) {
        draw(tick.ids, SNOS, hole);
    }

    @Benchmark
    @OperationsPerInvocation(SNOS)
    public void snoAfter(SnoAfter tick, Blackhole hole) {
        draw(tick.ids, SNOS, hole);
    }

    @Benchmark
    @OperationsPerInvocation(SNOS)
    public void snoBesideBatches(SnoBesideBatches tick, Blackhole hole) {
        draw(tick.ids, SNOS, hole);
    }

    @Benchmark
    @OperationsPerInvocation(SNOS)
    public void quarterBefore(QuarterBefore tick, Blackhole hole) {
        draw(tick.ids, SNOS, hole);
    }

    @Benchmark
    @OperationsPerInvocation(SNOS)
    public void quarterAfter(QuarterAfter tick, Blackhole hole) {
        draw(tick.ids, SNOS, hole);
    }

    @Benchmark
    @OperationsPerInvocation(EIGHTBYTES)
    public void eightbyteBefore(EightbyteBefore tick, Blackhole hole) {
        draw(tick.ids, EIGHTBYTES, hole);
    }

    @Benchmark
    @OperationsPerInvocation(EIGHTBYTES)
    public void eightbyteAfter(EightbyteAfter tick, Blackhole hole) {
        draw(tick.ids, EIGHTBYTES, hole);
    }

    @Benchmark
    @OperationsPerInvocation(UID60S)
    public void uid60Before(Uid60Before tick, Blackhole hole) {
        draw(tick.ids, UID60S, hole);
    }

    @Benchmark
    @OperationsPerInvocation(UID60S)
    public void uid60After(Uid60After tick, Blackhole hole) {
        draw(tick.ids, UID60S, hole);
    }

    private static void draw(IdGenerator<?> ids, int count, Blackhole hole) {
        for (int i = 0; i < count; i++) {
            hole.consume(ids.next());
        }
    }

    /** A slot, and the beginning of a tick. */
    @State(Scope.Benchmark)
    public abstract static class Tick {
        private static final int SLOTS = 64;
        private static final int WARMING = 1_000;

        private final Clock clock = Clock.system();
        private final TickUnit unit;
        private final int holds;
        private final IntFunction<IdGenerator<?>> slots;
        private int slot;
        IdGenerator<?> ids;

        Tick(TickUnit unit, int holds, IntFunction<IdGenerator<?>> slots) {
            this.unit = unit;
            this.holds = holds;
            this.slots = slots;
            this.ids = slots.apply(0);
        }

        /** Ticks of a second end too seldom for the compiler: so the loop draws from many slots first. */
        @Setup(Level.Trial)
        public void compile(Blackhole hole) {
            for (int i = 0; i < SLOTS; i++) {
                fresh();
                draw(ids, Math.min(holds - 1, WARMING), hole);
            }
        }

        /** From now on another slot serves. */
        void fresh() {
            ids = slots.apply(slot++ % SLOTS);
        }

        /** Waits for a tick's beginning, and draws one ID of it. */
        void begin() {
            long micros = clock.micros();
            long beginsNanos = clock.nanos() + unit.nanosUntil(unit.tickAt(micros) + 1, micros);
            clock.park(beginsNanos - clock.nanos());
            while (beginsNanos - clock.nanos() > 0) {
                Thread.onSpinWait();
            }
            ids.next();
        }

        /** Uses up the tick and waits for the next one, as a loop does. */
        void useUp() {
            begin();
            for (int i = 0; i < holds; i++) {
                ids.next();
            }
        }
    }

    /** Nobody has waited. */
    public abstract static class Before extends Tick {
        Before(TickUnit unit, int holds, IntFunction<IdGenerator<?>> slots) {
            super(unit, holds, slots);
        }

        @Setup(Level.Invocation)
        public void tick() {
            fresh();
            begin();
        }
    }

    /** The tick before was used up. */
    public abstract static class After extends Tick {
        After(TickUnit unit, int holds, IntFunction<IdGenerator<?>> slots) {
            super(unit, holds, slots);
        }

        @Setup(Level.Invocation)
        public void tick() {
            useUp();
        }
    }

    private static LocalIds local() {
        return new LocalIds(Duration.ofSeconds(2), Clock.system());
    }

    private static IdGenerator<? extends Id> sno(int slot, int shards) {
        int size = (SnoRange.ALL.max() + 1) / shards;
        return local().sno(SnoPartition.of(slot), new SnoRange(0, size - 1));
    }

    public static class SnoBefore extends Before {
        public SnoBefore() {
            super(SnoGenerator.UNIT, 65_536, slot -> sno(slot, 1));
        }
    }

    public static class SnoAfter extends After {
        public SnoAfter() {
            super(SnoGenerator.UNIT, 65_536, slot -> sno(slot, 1));
        }
    }

    public static class QuarterBefore extends Before {
        public QuarterBefore() {
            super(SnoGenerator.UNIT, 16_384, slot -> sno(slot, 4));
        }
    }

    public static class QuarterAfter extends After {
        public QuarterAfter() {
            super(SnoGenerator.UNIT, 16_384, slot -> sno(slot, 4));
        }
    }

    public static class EightbyteBefore extends Before {
        public EightbyteBefore() {
            super(EightByteGenerator.UNIT, 64, slot -> local().eightbyte(slot, 1));
        }
    }

    public static class EightbyteAfter extends After {
        public EightbyteAfter() {
            super(EightByteGenerator.UNIT, 64, slot -> local().eightbyte(slot, 1));
        }
    }

    public static class Uid60Before extends Before {
        public Uid60Before() {
            super(Uid60Generator.UNIT, 1_024, slot -> local().uid60(slot));
        }
    }

    public static class Uid60After extends After {
        public Uid60After() {
            super(Uid60Generator.UNIT, 1_024, slot -> local().uid60(slot));
        }
    }

    /** Others ask for many all the time, and have taken theirs of the tick. */
    public static class SnoBesideBatches extends Tick {
        private static final int BATCHES = 4;
        private static final int MANY = 1_000_000;
        private static final long TAKEN_NANOS = 700_000;

        private boolean begun;
        private volatile boolean over;

        public SnoBesideBatches() {
            super(SnoGenerator.UNIT, 65_536, slot -> sno(slot, 1));
        }

        private void beginBatches() {
            IdGenerator<?> shared = ids;
            for (int i = 0; i < BATCHES; i++) {
                Thread thread = new Thread(() -> {
                    while (!over) {
                        shared.next(MANY, (high, low) -> {});
                    }
                });
                thread.setDaemon(true);
                thread.start();
            }
        }

        @Setup(Level.Invocation)
        public void tick() {
            if (!begun) {
                beginBatches();
                begun = true;
            }
            begin();
            long since = System.nanoTime();
            while (System.nanoTime() - since < TAKEN_NANOS) {
                Thread.onSpinWait();
            }
        }

        @TearDown(Level.Trial)
        public void end() {
            over = true;
        }
    }
}
