package org.idallocator.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.jspecify.annotations.Nullable;

/**
 * How much of what its specification allows does one slot of a scheme give, while callers ask for more all the time? And how much
 * of a core do the callers use, who mostly wait? Their whole use counts, drawing included. Where calls ask for one sno or muid
 * each, there is no goal for that: millions of calls are work, and a wait for the next microsecond is a spin.
 */
final class AtCap {
    private static final double SUSTAINED = 0.99;
    private static final double OF_A_CORE = 0.05;
    private static final int BATCH = 1_000;
    private static final List<Case> CASES = List.of(
            new Case(new SnoScheme(0, 1, 1), BATCH, true),
            new Case(new SnoScheme(0, 1, 1), 1, false),
            new Case(new EightByteScheme(0), 1, true),
            new Case(new Uid60Scheme(Duration.ofHours(1)), 1, true),
            new Case(new MuidScheme(), BATCH, true),
            new Case(new MuidScheme(), 1, false));

    private final Clock clock = Clock.system();
    private final ThreadMXBean threadTimes = ManagementFactory.getThreadMXBean();
    private final int seconds;
    private volatile @Nullable Id latest; // so that no compiler leaves out what nobody looks at

    private AtCap(int seconds) {
        this.seconds = seconds;
    }

    /**
     * @param batch IDs asked for by one call
     * @param resting whether callers should hardly use a processor
     */
    private record Case(Scheme<?> scheme, int batch, boolean resting) {

        String name(int threads) {
            return scheme.name() + (batch == 1 ? " one by one" : " by " + batch) + (threads == 1 ? "" : " x" + threads);
        }

        /** Single muids may miss microseconds: a call and a wait take longer than one. */
        boolean sustained() {
            return resting || !scheme.name().equals(MuidScheme.NAME);
        }
    }

    /** What the threads of a case have done in the time. */
    private record Done(long ids, long cpuNanos) {}

    static void run(List<String> arguments) throws Exception {
        List<String> names = new ArrayList<>(arguments);
        boolean markdown = names.remove("--markdown");
        int seconds = names.remove("--quick") ? 3 : seconds(names);
        AtCap atCap = new AtCap(seconds);
        Table table = new Table("for " + seconds + " s", "a second", "of its limit", "goal", "of a core", "goal");
        for (Case one : CASES) {
            for (int threads = 1; threads <= 2; threads++) {
                String name = one.name(threads);
                if (names.isEmpty() || names.stream().anyMatch(name::startsWith)) {
                    System.err.println(name);
                    atCap.measure(one, threads, table);
                }
            }
        }
        table.print(markdown);
    }

    private static int seconds(List<String> arguments) {
        String option = "--seconds=";
        int seconds = 60;
        for (String argument : List.copyOf(arguments)) {
            if (argument.startsWith(option)) {
                seconds = Integer.parseInt(argument.substring(option.length()));
                arguments.remove(argument);
            }
        }
        return seconds;
    }

    private void measure(Case one, int threads, Table table) throws Exception {
        IdGenerator<?> generator = one.scheme().onSlot(0, Duration.ofSeconds(2), clock);
        long startMicros = Math.floorDiv(clock.micros(), 1_000_000) * 1_000_000 + 2_000_000;
        long endMicros = startMicros + seconds * 1_000_000L;
        Done done = together(threads, () -> draw(generator, one.batch(), startMicros, endMicros));
        double ofLimit = (double) done.ids() / seconds / one.scheme().idsPerSecond();
        double ofCore = done.cpuNanos() / 1e9 / seconds;
        table.row(
                one.name(threads),
                "%,d".formatted(done.ids() / seconds),
                "%.1f %%".formatted(100 * ofLimit),
                one.sustained() ? said(">= 99 %", ofLimit >= SUSTAINED) : "",
                "%.1f %%".formatted(100 * ofCore),
                one.resting() ? said("<= 5 %", ofCore <= OF_A_CORE) : "");
    }

    private static String said(String goal, boolean met) {
        return goal + (met ? "" : ", MISSED");
    }

    private static Done together(int threads, Callable<Done> drawing) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            long ids = 0;
            long cpuNanos = 0;
            List<Future<Done>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(pool.submit(drawing));
            }
            for (Future<Done> each : all) {
                ids += each.get().ids();
                cpuNanos += each.get().cpuNanos();
            }
            return new Done(ids, cpuNanos);
        } finally {
            pool.shutdownNow();
        }
    }

    /** Draws between two moments, which are whole seconds, so that ticks of all schemes begin there. */
    private Done draw(IdGenerator<?> generator, int batch, long startMicros, long endMicros) {
        clock.park(1_000 * (startMicros - clock.micros()));
        while (clock.micros() < startMicros) {
            Thread.onSpinWait();
        }
        long cpuBefore = threadTimes.getCurrentThreadCpuTime();
        long[] drawn = new long[1];
        long ids = 0;
        while (true) {
            try {
                if (batch == 1) {
                    latest = generator.next();
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

    /** Asks the clock now and then, because asking takes as long as drawing. */
    private boolean late(long drawn, long endMicros) {
        return (drawn & 15) == 0 && clock.micros() >= endMicros;
    }
}
