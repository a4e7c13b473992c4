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
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A loop of calls for one ID on the machine's clock, within a tick that has enough of them: of a generator that nobody
 * has waited for, of one that a loop has used up and waited for, and while others wait for many. Waiting is not
 * measured. Each measured loop begins with a tick that it has waited for; where a tick was used up, that was the last
 * but one.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class InTick {
    private static final int SNOS = 2_048; // four threads take no more than a half of what the tick has for them
    private static final int EIGHTBYTES = 12;
    private static final int UID60S = 120;

    @Benchmark
    @OperationsPerInvocation(SNOS)
    public void snoBefore(Tick tick, Blackhole hole) {
        draw(tick.ids, SNOS, hole);
    }

    @Benchmark
    @OperationsPerInvocation(SNOS)
    public void snoAfter(Tick tick, Blackhole hole) {
        draw(tick.ids, SNOS, hole);
    }

    @Benchmark
    @OperationsPerInvocation(SNOS)
    public void snoBesideBatches(Tick tick, Blackhole hole) {
        draw(tick.ids, SNOS, hole);
    }

    @Benchmark
    @OperationsPerInvocation(SNOS)
    public void quarterBefore(Tick tick, Blackhole hole) {
        draw(tick.ids, SNOS, hole);
    }

    @Benchmark
    @OperationsPerInvocation(SNOS)
    public void quarterAfter(Tick tick, Blackhole hole) {
        draw(tick.ids, SNOS, hole);
    }

    @Benchmark
    @OperationsPerInvocation(EIGHTBYTES)
    public void eightbyteBefore(Tick tick, Blackhole hole) {
        draw(tick.ids, EIGHTBYTES, hole);
    }

    @Benchmark
    @OperationsPerInvocation(EIGHTBYTES)
    public void eightbyteAfter(Tick tick, Blackhole hole) {
        draw(tick.ids, EIGHTBYTES, hole);
    }

    @Benchmark
    @OperationsPerInvocation(UID60S)
    public void uid60Before(Tick tick, Blackhole hole) {
        draw(tick.ids, UID60S, hole);
    }

    @Benchmark
    @OperationsPerInvocation(UID60S)
    public void uid60After(Tick tick, Blackhole hole) {
        draw(tick.ids, UID60S, hole);
    }

    private static void draw(IdGenerator<?> ids, int count, Blackhole hole) {
        for (int i = 0; i < count; i++) {
            hole.consume(ids.next());
        }
    }

    /**
     * What a benchmark's name begins with.
     *
     * @param holds how many IDs a tick has
     * @param slots generators of slots, of which each has its own ticks
     */
    private record Kind(TickUnit unit, int holds, IntFunction<IdGenerator<?>> slots) {
        static Kind of(String benchmark) {
            return switch (benchmark.replaceFirst("Before|After|BesideBatches", "")) {
                case "sno" -> new Kind(SnoGenerator.UNIT, 65_536, slot -> sno(slot, 1));
                case "quarter" -> new Kind(SnoGenerator.UNIT, 16_384, slot -> sno(slot, 4));
                case "eightbyte" -> new Kind(EightByteGenerator.UNIT, 64, slot -> local().eightbyte(slot, 1));
                case "uid60" -> new Kind(Uid60Generator.UNIT, 1_024, slot -> local().uid60(slot));
                default -> throw new IllegalArgumentException(benchmark);
            };
        }

        private static LocalIds local() {
            return new LocalIds(Duration.ofSeconds(2), Clock.system());
        }

        private static IdGenerator<? extends Id> sno(int slot, int shards) {
            int size = (SnoRange.ALL.max() + 1) / shards;
            return local().sno(SnoPartition.of(slot), new SnoRange(0, size - 1));
        }
    }

    /** A slot, and the beginning of a tick. */
    @State(Scope.Benchmark)
    public static class Tick {
        private static final int SLOTS = 64;
        private static final int WARMING = 1_000;
        private static final int BATCHES = 4;
        private static final int MANY = 1_000_000;
        private static final long TAKEN_NANOS = 700_000;

        private final Clock clock = Clock.system();
        private String benchmark = "";
        private int slot;
        private boolean begun;
        private volatile boolean over;

        @SuppressWarnings("NullAway.Init")
        private Kind kind;

        @SuppressWarnings("NullAway.Init")
        IdGenerator<?> ids;

        /** Ticks of a second end too seldom for the compiler: so the loop draws from many slots first. */
        @Setup(Level.Trial)
        public void compile(BenchmarkParams params, Blackhole hole) {
            benchmark = params.getBenchmark().replaceFirst(".*[.]", "");
            kind = Kind.of(benchmark);
            for (int i = 0; i < SLOTS; i++) {
                fresh();
                draw(ids, Math.min(kind.holds() - 1, WARMING), hole);
            }
        }

        @Setup(Level.Invocation)
        public void tick() {
            if (benchmark.endsWith("Before")) {
                fresh();
                begin();
            } else if (benchmark.endsWith("After")) {
                useUp();
                begin();
            } else {
                besideBatches();
            }
        }

        /** From now on another slot serves. */
        private void fresh() {
            ids = kind.slots().apply(slot++ % SLOTS);
        }

        /** Waits for a tick's beginning, and draws one ID of it. */
        private void begin() {
            long micros = clock.micros();
            long beginsNanos =
                    clock.nanos() + kind.unit().nanosUntil(kind.unit().tickAt(micros) + 1, micros);
            clock.park(beginsNanos - clock.nanos());
            while (beginsNanos - clock.nanos() > 0) {
                Thread.onSpinWait();
            }
            ids.next();
        }

        /** Uses up the tick and waits for the next one, as a loop does. */
        private void useUp() {
            begin();
            for (int i = 0; i < kind.holds(); i++) {
                ids.next();
            }
        }

        /** Others ask for many all the time, and have taken theirs of the tick. */
        private void besideBatches() {
            if (!begun) {
                begun = true;
                beginBatches();
            }
            begin();
            long since = System.nanoTime();
            while (System.nanoTime() - since < TAKEN_NANOS) {
                Thread.onSpinWait();
            }
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

        @TearDown(Level.Trial)
        public void end() {
            over = true;
        }
    }
}
