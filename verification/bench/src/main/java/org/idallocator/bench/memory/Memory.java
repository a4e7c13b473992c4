package org.idallocator.bench.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.bench.process.Figures;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.Scratch;

/**
 * What the service takes of memory: its heap after a collection and its resident size, at rest, while single snos are asked for
 * and while snos are streamed. Then both at once for ten minutes, or for {@code --minutes=N}; {@code --quick} takes 30 s. There
 * must be no growth: the median heap of the last third is at most that of the first third and 4 MiB, which is what buffers,
 * compiled code's data and metrics differ by from one collection to the next; the median resident size likewise with 32 MiB, as
 * the collector takes and gives back regions of up to that much.
 */
public final class Memory {
    private static final String MINUTES = "--minutes=";
    private static final int HEAP_SLACK = 4;
    private static final int RESIDENT_SLACK = 32;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Duration QUICK = Duration.ofSeconds(30);
    private static final int SAMPLES = 60;
    private static final int QUICK_SAMPLES = 15;
    private static final double SECOND = 1e9;

    private final Service service;
    private final Duration phase;

    private Memory(Service service, Duration phase) {
        this.service = service;
        this.phase = phase;
    }

    public static void run(List<String> arguments) {
        Programs.require(Programs.SERVICE);
        boolean quick = arguments.contains("--quick");
        Duration whole = arguments.stream()
                .filter(each -> each.startsWith(MINUTES))
                .findFirst()
                .map(each -> Duration.ofMinutes(Long.parseLong(each.substring(MINUTES.length()))))
                .orElse(quick ? QUICK : LONG);
        try (Scratch scratch = new Scratch();
                Service service = Service.start(scratch)) {
            Memory memory = new Memory(service, Duration.ofSeconds(quick ? 2 : 10));
            memory.print();
            memory.grow(whole, quick ? QUICK_SAMPLES : SAMPLES);
        }
    }

    private void print() {
        System.out.printf("%nwith %s%n%-28s %10s %10s %14s%n", Service.HEAP, "MiB", "heap", "resident", "IDs a second");
        pause(phase);
        print("at rest", service.sample(), 0);
        try (Load singles = Load.ofSingles(service.port())) {
            load("single snos", singles);
        }
        try (Load stream = Load.ofStream(service.port())) {
            load("a stream of snos", stream);
        }
        pause(phase);
        print("at rest again", service.sample(), 0);
    }

    private void load(String name, Load load) {
        long fromNanos = System.nanoTime();
        pause(phase);
        Service.Sample sample = service.sample();
        print(name, sample, load.ids() / ((System.nanoTime() - fromNanos) / SECOND));
    }

    private static void print(String name, Service.Sample sample, double rate) {
        System.out.printf("%-28s %10.1f %10.1f %14.0f%n", name, sample.heap(), sample.resident(), rate);
    }

    private void grow(Duration whole, int samples) {
        List<Service.Sample> taken = new ArrayList<>();
        try (Load singles = Load.ofSingles(service.port());
                Load stream = Load.ofStream(service.port())) {
            for (int i = 0; i < samples; i++) {
                pause(whole.dividedBy(samples));
                taken.add(service.sample());
            }
            System.out.printf(
                    "%n%-28s %10s %10s %10s   goal: no growth over %d s of both, %d and %d IDs%n",
                    "MiB", "first", "last", "growth", whole.toSeconds(), singles.ids(), stream.ids());
        }
        grown(
                "heap after a collection",
                taken.stream().map(Service.Sample::heap).toList(),
                HEAP_SLACK);
        grown("resident", taken.stream().map(Service.Sample::resident).toList(), RESIDENT_SLACK);
    }

    private static void grown(String name, List<Double> figures, int slack) {
        int third = figures.size() / 3;
        double first = new Figures(figures.subList(0, third)).median();
        double last = new Figures(figures.subList(figures.size() - third, figures.size())).median();
        System.out.printf(
                "%-28s %10.1f %10.1f %10.1f   %s%n",
                name, first, last, last - first, Figures.judged(last - first, slack));
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", e);
        }
    }
}
