package org.idallocator.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
 * What one call costs. All that is compared is measured in turns, a process each, round after round: A B C A B C. A figure is the
 * median of the rounds. A ratio is the median of the ratios within a round, with the lowest and the highest: so a machine that
 * has become slower meanwhile changes the figures, and the ratios hardly.
 */
final class Calls {
    private static final int ROUNDS = 5;
    private static final String PACKAGE = Bench.class.getPackageName() + ".";

    private final boolean quick;
    private final Map<Figure, List<RunResult>> results = new LinkedHashMap<>();

    private Calls(boolean quick) {
        this.quick = quick;
    }

    /** A benchmark on a number of threads; its text is that of {@link Ratio}. */
    private record Figure(String name, int threads) {

        String group() {
            return name.substring(0, name.indexOf('.'));
        }

        @Override
        public String toString() {
            return threads == 1 ? name : name + " x" + threads;
        }
    }

    static void run(List<String> arguments) throws RunnerException {
        List<String> names = new ArrayList<>(arguments);
        boolean quick = names.remove("--quick");
        boolean markdown = names.remove("--markdown");
        Calls calls = new Calls(quick);
        calls.measure(figures(names));
        calls.print(markdown);
    }

    private static List<Figure> figures(List<String> names) {
        List<Figure> all = BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT), List.of())
                .stream()
                .map(entry -> entry.getUsername().substring(PACKAGE.length()))
                .flatMap(name -> IntStream.rangeClosed(1, Goals.onTwo(name) ? 2 : 1)
                        .mapToObj(threads -> new Figure(name, threads)))
                .toList();
        List<Figure> asked = all.stream()
                .filter(figure -> names.isEmpty() || names.stream().anyMatch(figure.name()::startsWith))
                .toList();
        if (asked.isEmpty()) {
            throw new IllegalArgumentException("no benchmark begins with any of " + names + "; there are "
                    + all.stream().map(Figure::name).distinct().collect(Collectors.joining(", ")));
        }
        return asked.stream()
                .flatMap(figure -> Stream.concat(
                        all.stream()
                                .filter(other -> Goals.of(figure.toString()).stream()
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
                .warmupIterations(quick ? 1 : 4)
                .warmupTime(time)
                .measurementIterations(quick ? 1 : 4)
                .measurementTime(time)
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT);
        return new Runner(options.build()).runSingle();
    }

    private void print(boolean markdown) {
        Table table = new Table("one of", "ns", "bytes", "ratio", "lowest to highest", "goal");
        results.forEach((figure, runs) -> {
            List<Ratio> goals = Goals.of(figure.toString()).stream()
                    .filter(goal -> of(goal).isPresent())
                    .toList();
            double[] nanos = scores(runs);
            String[] own = {figure.toString(), "%.1f".formatted(median(nanos)), "%.0f".formatted(bytes(runs))};
            if (goals.isEmpty()) {
                table.row(own[0], own[1], own[2], "", "", "");
            }
            for (Ratio goal : goals) {
                double[] ratios = ratios(nanos, scores(of(goal).orElseThrow()));
                table.row(
                        own[0],
                        own[1],
                        own[2],
                        "%.2f".formatted(median(ratios)),
                        "%.2f to %.2f".formatted(ratios[0], ratios[ratios.length - 1]),
                        goal.said(median(ratios)));
            }
        });
        table.print(markdown);
    }

    private Optional<List<RunResult>> of(Ratio goal) {
        return results.entrySet().stream()
                .filter(entry -> entry.getKey().toString().equals(goal.of()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private static double[] scores(List<RunResult> runs) {
        return runs.stream()
                .mapToDouble(run -> run.getPrimaryResult().getScore())
                .toArray();
    }

    /** Of each round; the lowest first. */
    private static double[] ratios(double[] figures, double[] of) {
        return IntStream.range(0, figures.length)
                .mapToDouble(round -> figures[round] / of[round])
                .sorted()
                .toArray();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** What one call leaves for the collector. */
    private static double bytes(List<RunResult> runs) {
        return median(runs.stream()
                .mapToDouble(run -> run.getSecondaryResults().entrySet().stream()
                        .filter(entry -> entry.getKey().toLowerCase(Locale.ROOT).endsWith("gc.alloc.rate.norm"))
                        .map(Map.Entry::getValue)
                        .mapToDouble(Result::getScore)
                        .sum())
                .toArray());
    }
}
