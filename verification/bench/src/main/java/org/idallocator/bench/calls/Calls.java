package org.idallocator.bench.calls;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.bench.Arguments;
import org.idallocator.bench.Figures;
import org.idallocator.bench.Goal;
import org.idallocator.bench.Goals;
import org.idallocator.bench.Ratio;
import org.idallocator.bench.Table;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * What one call costs. All that is compared is measured in turns, a process each, round after round: A B C A B C. A
 * figure is the median of the rounds. A ratio is the median of the ratios within a round, with the lowest and the
 * highest: so a machine that has become slower meanwhile changes the figures, and the ratios hardly.
 */
public final class Calls {
    private static final int ROUNDS = 5;
    private static final String PACKAGE = Calls.class.getPackageName() + ".";

    private final boolean quick;
    private final Map<Figure, List<RunResult>> results = new LinkedHashMap<>();

    private Calls(boolean quick) {
        this.quick = quick;
    }

    /** A benchmark on a number of threads; its text is that of {@link Goals#ofCall}. */
    private record Figure(String name, int threads) {

        String group() {
            return name.substring(0, name.indexOf('.'));
        }

        @Override
        public String toString() {
            return threads == 1 ? name : name + " x" + threads;
        }
    }

    public static void run(Arguments arguments) throws RunnerException {
        Calls calls = new Calls(arguments.quick());
        List<Figure> figures = figures(arguments);
        try (Table table = new Table(arguments, "one of", "ns", "bytes")) {
            try {
                calls.measure(figures);
            } finally {
                calls.fill(table);
            }
        }
    }

    /** What is asked for, each after what it is compared with. */
    private static List<Figure> figures(Arguments arguments) {
        List<Figure> all = BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT), List.of())
                .stream()
                .map(entry -> entry.getUsername().substring(PACKAGE.length()))
                .flatMap(name -> Goals.threads(name).mapToObj(threads -> new Figure(name, threads)))
                .toList();
        return arguments.chosen(all, Figure::name).stream()
                .flatMap(figure -> Stream.concat(
                        all.stream()
                                .filter(other -> Goals.ofCall(figure.toString()).stream()
                                        .anyMatch(goal -> goal.of().equals(other.toString()))),
                        Stream.of(figure)))
                .distinct()
                .toList();
    }

    private void measure(List<Figure> figures) throws RunnerException {
        Map<String, List<Figure>> groups =
                figures.stream().collect(Collectors.groupingBy(Figure::group, LinkedHashMap::new, Collectors.toList()));
        int rounds = quick ? 1 : ROUNDS;
        for (Map.Entry<String, List<Figure>> group : groups.entrySet()) {
            for (int round = 1; round <= rounds; round++) {
                System.err.println(group.getKey() + ", round " + round + " of " + rounds);
                for (Figure figure : group.getValue()) {
                    results.computeIfAbsent(figure, absent -> new ArrayList<>()).add(measured(figure));
                }
            }
        }
    }

    private RunResult measured(Figure figure) throws RunnerException {
        TimeValue time = TimeValue.milliseconds(quick ? 50 : 500);
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(("^" + PACKAGE + figure.name() + "$").replace(".", "\\."))
                .threads(figure.threads())
                .forks(1)
                .jvmArgsAppend("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch") // else it measures new pages, too
                .warmupIterations(quick ? 1 : 4)
                .warmupTime(time)
                .measurementIterations(quick ? 1 : 4)
                .measurementTime(time)
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT);
        return new Runner(options.build()).runSingle();
    }

    private void fill(Table table) {
        results.forEach((figure, runs) -> {
            List<Double> nanos = nanos(runs);
            double bytes = Math.rint(new Figures(bytes(runs)).median()); // the rest is of the profiler itself
            table.row(figure.toString(), "%.1f".formatted(new Figures(nanos).median()), "%.0f".formatted(bytes));
            for (Goal goal : Goals.ofCall(figure.toString())) {
                List<Double> of = nanos(of(goal));
                if (of.size() == nanos.size()) { // else the last round was broken off
                    table.judged(goal, Ratio.of(nanos, of));
                }
            }
            for (Goal goal : Goals.ofGarbage(figure.toString())) {
                table.judged(goal, bytes);
            }
        });
    }

    private List<RunResult> of(Goal goal) {
        return results.entrySet().stream()
                .filter(entry -> entry.getKey().toString().equals(goal.of()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(List.of());
    }

    /** What a call took in each round. */
    private static List<Double> nanos(List<RunResult> runs) {
        return runs.stream().map(run -> run.getPrimaryResult().getScore()).toList();
    }

    /** What a call left for the collector in each round. */
    private static List<Double> bytes(List<RunResult> runs) {
        return runs.stream()
                .map(run -> run.getSecondaryResults().entrySet().stream()
                        .filter(entry -> entry.getKey().toLowerCase(Locale.ROOT).endsWith("gc.alloc.rate.norm"))
                        .map(Map.Entry::getValue)
                        .mapToDouble(Result::getScore)
                        .sum())
                .toList();
    }
}
