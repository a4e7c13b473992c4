package org.idallocator.bench.memory;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.bench.Arguments;
import org.idallocator.bench.Goals;
import org.idallocator.bench.Pause;
import org.idallocator.bench.Table;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.Scratch;
import org.idallocator.bench.process.Server;
import org.idallocator.bench.process.Vitals;

/**
 * What the service takes of memory: its heap after a collection and its resident size, at rest, while single snos are
 * asked for and while snos are streamed. Then both together for minutes, in which nothing may grow: the median heap of
 * the last third is compared with that of the first third. It may be as much larger as buffers, compiled code's data
 * and metrics differ by from one collection to the next. The median resident size may be as much larger as regions that
 * the collector takes and gives back.
 */
public final class Memory {
    private static final String HEAP = "-Xmx256m";
    private static final int MINUTES = 10;
    private static final int MOST_MINUTES = 24 * 60;
    private static final Duration QUICK = Duration.ofSeconds(30);
    private static final int SAMPLES = 60;
    private static final int QUICK_SAMPLES = 15;
    private static final double SECOND = 1e9;

    private final Server service;
    private final Scratch scratch;
    private final Duration phase;
    private final Table table;

    private Memory(Server service, Scratch scratch, Duration phase, Table table) {
        this.service = service;
        this.scratch = scratch;
        this.phase = phase;
        this.table = table;
    }

    public static void run(Arguments arguments) {
        boolean quick = arguments.quick();
        Duration minutes = Duration.ofMinutes(arguments.number("minutes", MOST_MINUTES, MINUTES));
        Duration whole = quick && !arguments.options().containsKey("minutes") ? QUICK : minutes;
        Path jar = Programs.jar(arguments);
        try (Scratch scratch = new Scratch();
                Server service = Server.start(scratch, Programs.service(jar, scratch, HEAP, "-XX:+UseG1GC"));
                Table table = new Table(arguments, "MiB with " + HEAP, "heap", "resident", "IDs a second")) {
            Memory memory = new Memory(service, scratch, Duration.ofSeconds(quick ? 2 : 10), table);
            memory.phases();
            memory.grow(whole, quick ? QUICK_SAMPLES : SAMPLES);
        }
    }

    private Vitals sample() {
        return Vitals.of(service, scratch);
    }

    private void phases() {
        Pause.of(phase);
        row("at rest", sample(), "");
        try (Clients singles = Clients.ofSingles(service)) {
            load("single snos", singles);
        }
        try (Clients stream = Clients.ofStream(service)) {
            load("a stream of snos", stream);
        }
        Pause.of(phase);
        row("at rest again", sample(), "");
    }

    private void load(String name, Clients clients) {
        long fromNanos = System.nanoTime();
        Pause.of(phase);
        Vitals sample = sample();
        row(name, sample, rate(clients.ids(), fromNanos));
    }

    private static String rate(long ids, long fromNanos) {
        return "%,.0f".formatted(ids / ((System.nanoTime() - fromNanos) / SECOND));
    }

    private void row(String name, Vitals sample, String rate) {
        table.figures(name, "%.1f|%.1f|%s", sample.heap(), sample.resident(), rate);
    }

    private void grow(Duration whole, int samples) {
        System.err.println("both for " + whole.toSeconds() + " s");
        List<Vitals> taken = new ArrayList<>();
        String rate;
        try (Clients singles = Clients.ofSingles(service);
                Clients stream = Clients.ofStream(service)) {
            long fromNanos = System.nanoTime();
            for (int i = 0; i < samples; i++) {
                Pause.of(whole.dividedBy(samples));
                taken.add(sample());
            }
            rate = rate(singles.ids() + stream.ids(), fromNanos);
        }
        Vitals.Growth growth = Vitals.growth(taken);
        row("both for " + whole.toSeconds() + " s, first third", growth.first(), rate);
        row("last third", growth.last(), "");
        double heap = growth.grown().heap();
        table.figures(Goals.HEAP.figure(), "%.1f||", heap);
        table.judged(Goals.HEAP, heap);
        double resident = growth.grown().resident();
        table.figures(Goals.RESIDENT.figure(), "|%.1f|", resident);
        table.judged(Goals.RESIDENT, resident);
    }
}
