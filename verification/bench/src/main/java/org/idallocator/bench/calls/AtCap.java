package org.idallocator.bench.calls;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.idallocator.bench.Arguments;
import org.idallocator.bench.Goals;
import org.idallocator.bench.Ratio;
import org.idallocator.bench.Table;
import org.idallocator.bench.Together;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.jspecify.annotations.Nullable;

/**
 * How much of what its specification allows does one slot of a scheme give, while callers ask for more all the time?
 * And how much of a core do the callers use, who mostly wait? Their whole use counts, drawing included. Where calls ask
 * for one sno or muid each, there is no goal for that: millions of calls are work, and a wait for the next microsecond
 * is a spin.
 */
public final class AtCap {
    private static final int SECONDS = 60;
    private static final int QUICK_SECONDS = 3;
    private static final int LONGEST_SECONDS = 24 * 60 * 60;
    private static final int BATCH = 1_000;
    private static final double SLOW_FLOOR_NANOS = 55;
    private static final List<Case> CASES = List.of(
            new Case("sno", new SnoScheme(0, 1, 1), BATCH, true),
            new Case("sno", new SnoScheme(0, 1, 1), 1, false),
            new Case("a quarter of sno", new SnoScheme(0, 1, 4), 1, false),
            new Case("eightbyte", new EightByteScheme(0), 1, true),
            new Case("uid60", new Uid60Scheme(Duration.ofHours(1)), 1, true),
            new Case("muid", new MuidScheme(), BATCH, true),
            new Case("muid", new MuidScheme(), 1, false));

    private final Clock clock = Clock.system();
    private final ThreadMXBean threadTimes = ManagementFactory.getThreadMXBean();
    private final int seconds;
    private final Map<Integer, Double> floors = new HashMap<>(); // IDs a second by how many threads draw

    private AtCap(int seconds) {
        this.seconds = seconds;
    }

    /**
     * Callers on one thread or several.
     *
     * @param asked what each of them asks for
     */
    private record Callers(Case asked, int threads) {

        @Override
        public String toString() {
            return asked + (threads == 1 ? "" : " x" + threads);
        }
    }

    /**
     * What a caller asks for.
     *
     * @param batch IDs asked for by one call
     * @param resting whether callers should hardly use a processor
     */
    private record Case(String of, Scheme<?> scheme, int batch, boolean resting) {

        @Override
        public String toString() {
            return of + (batch == 1 ? " one by one" : " by " + batch);
        }

        boolean muid() {
            return scheme.name().equals(MuidScheme.NAME);
        }

        /** Single muids may miss microseconds: a call and a wait take longer than one. */
        boolean sustained() {
            return resting || !muid();
        }

        /** Whether drawing and hardly waiting is the work, where the machine may be too slow for the limit. */
        boolean busy() {
            return !resting && scheme.idsPerTick() > 1 << 15;
        }

        IntStream threads() {
            return batch > 1 || muid() ? IntStream.of(1, 2) : IntStream.of(1, 2, 4);
        }
    }

    /** What the threads of a case have done in the time. */
    private record Done(long ids, long cpuNanos) {}

    /** Where a thread leaves what it drew last, so that no compiler leaves out what nobody looks at. */
    private static final class Latest {
        private @Nullable Id id;
    }

    public static void run(Arguments arguments) throws Exception {
        int seconds = arguments.number("seconds", LONGEST_SECONDS, arguments.quick() ? QUICK_SECONDS : SECONDS);
        List<Callers> all = CASES.stream()
                .flatMap(one -> one.threads().mapToObj(threads -> new Callers(one, threads)))
                .toList();
        List<Callers> chosen = arguments.chosen(all, Callers::toString);
        AtCap atCap = new AtCap(seconds);
        try (Table table = new Table(arguments, "for " + seconds + " s", "a second", "of a core")) {
            if (chosen.stream().anyMatch(callers -> callers.asked().busy())) {
                for (int threads : new int[] {1, 2, 4}) {
                    atCap.measureFloor(threads, table);
                }
            }
            for (Callers callers : chosen) {
                System.err.println(callers);
                atCap.measure(callers, table);
            }
        }
    }

    /**
     * What no ID that follows the time and is a value falls below: a clock, a swap of one word for all threads, and the
     * value.
     */
    private void measureFloor(int threads, Table table) throws Exception {
        AtomicLong last = new AtomicLong();
        long startMicros = startMicros();
        Done done = together(threads, () -> drawAtFloor(last, startMicros, startMicros + seconds * 1_000_000L));
        double aSecond = (double) done.ids() / seconds;
        floors.put(threads, aSecond);
        String name = "clock, swap and value" + (threads == 1 ? "" : " x" + threads);
        System.err.println(name);
        table.row(name, "%,.0f".formatted(aSecond), "%.3f".formatted(done.cpuNanos() / 1e9 / seconds));
    }

    private long startMicros() {
        return Math.floorDiv(clock.micros(), 1_000_000) * 1_000_000 + 2_000_000;
    }

    private Done drawAtFloor(AtomicLong last, long startMicros, long endMicros) {
        awaitStart(startMicros);
        long cpuBefore = threadTimes.getCurrentThreadCpuTime();
        Latest latest = new Latest();
        long drawn = 0;
        while (!late(drawn, endMicros)) {
            long seen = last.get();
            long next = Math.max(System.currentTimeMillis() << 16, seen + 1);
            if (last.compareAndSet(seen, next)) {
                latest.id = new Sno(0, next);
                drawn++;
            }
        }
        return new Done(drawn, threadTimes.getCurrentThreadCpuTime() - cpuBefore);
    }

    private void measure(Callers callers, Table table) throws Exception {
        Case asked = callers.asked();
        IdGenerator<?> generator = asked.scheme().onSlot(0, Duration.ofSeconds(2), clock);
        long startMicros = startMicros();
        long endMicros = startMicros + seconds * 1_000_000L;
        Done done = together(callers.threads(), () -> draw(generator, asked.batch(), startMicros, endMicros));
        double aSecond = (double) done.ids() / seconds;
        Ratio ofLimit = Ratio.of(aSecond, asked.scheme().idsPerSecond());
        Ratio ofCore = Ratio.of(done.cpuNanos() / 1e9, seconds);
        table.row(callers.toString(), "%,.0f".formatted(aSecond), "%.3f".formatted(ofCore.median()));
        double floor = floors.getOrDefault(callers.threads(), Double.MAX_VALUE);
        if (asked.busy() && (callers.threads() > 1 || 1e9 / floor > SLOW_FLOOR_NANOS)) {
            table.judged(
                    Goals.AT_FLOOR,
                    Ratio.of(aSecond, Math.min(floor, asked.scheme().idsPerSecond())));
        } else if (asked.sustained()) {
            table.judged(Goals.AT_LIMIT, ofLimit);
        } else {
            table.compared(ofLimit);
        }
        if (asked.resting()) {
            table.judged(Goals.PROCESSOR, Ratio.of(done.cpuNanos() / 1e9, seconds * callers.threads()));
        }
    }

    private static Done together(int threads, Callable<Done> drawing) {
        return Together.all(Collections.nCopies(threads, drawing)).stream()
                .reduce(
                        new Done(0, 0),
                        (one, other) -> new Done(one.ids() + other.ids(), one.cpuNanos() + other.cpuNanos()));
    }

    /** Draws between two moments, which are whole seconds, so that ticks of all schemes begin there. */
    private Done draw(IdGenerator<?> generator, int batch, long startMicros, long endMicros) {
        awaitStart(startMicros);
        long cpuBefore = threadTimes.getCurrentThreadCpuTime();
        Latest latest = new Latest();
        long[] drawn = new long[1];
        long ids = 0;
        while (true) {
            try {
                if (batch == 1) {
                    latest.id = generator.next();
                    drawn[0]++;
                } else {
                    generator.next(batch, (high, low) -> drawn[0]++);
                }
            } catch (OverCapacityException e) {
                continue; // the others were faster for two seconds
            }
            if (late(drawn[0], endMicros)) {
                return new Done(ids, threadTimes.getCurrentThreadCpuTime() - cpuBefore);
            }
            ids = drawn[0];
        }
    }

    private void awaitStart(long startMicros) {
        clock.park(1_000 * (startMicros - clock.micros()));
        while (clock.micros() < startMicros) {
            Thread.onSpinWait();
        }
    }

    /** Asks the clock now and then, because asking takes as long as drawing. */
    private boolean late(long drawn, long endMicros) {
        return (drawn & 15) == 0 && clock.micros() >= endMicros;
    }
}
