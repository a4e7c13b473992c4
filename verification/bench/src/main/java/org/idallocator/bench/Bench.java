package org.idallocator.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Measures, and prints each figure beside its ratio and goal. Arguments are names or beginnings of benchmarks ({@code Drawing},
 * {@code Writing.gid}), all where there are none; {@code --quick} measures for moments, to see that everything runs.
 */
public final class Bench {
    private Bench() {}

    public static void main(String[] arguments) throws RunnerException {
        List<String> names = new ArrayList<>(List.of(arguments));
        boolean quick = names.remove("--quick");
        print(run(1, names, quick), Goals.ALL, 1);
        print(
                run(2, List.of("Drawing.sno", "Drawing.clockAndSwap", "Drawing.gid", "Drawing.randomUuid"), quick),
                Goals.OF_TWO,
                2);
    }

    private static Collection<RunResult> run(int threads, List<String> names, boolean quick) throws RunnerException {
        OptionsBuilder options = new OptionsBuilder();
        names.forEach(name -> options.include("\\." + name.replace(".", "\\.")));
        options.threads(threads).addProfiler(GCProfiler.class);
        options.forks(quick ? 1 : 3)
                .warmupIterations(quick ? 1 : 4)
                .measurementIterations(quick ? 1 : 4)
                .warmupTime(TimeValue.milliseconds(quick ? 50 : 500))
                .measurementTime(TimeValue.milliseconds(quick ? 50 : 500));
        Options built = options.build();
        return new Runner(built).run();
    }

    private static void print(Collection<RunResult> results, List<Ratio> goals, int threads) {
        Map<String, RunResult> byName = new TreeMap<>();
        results.forEach(result -> byName.put(shortName(result.getParams().getBenchmark()), result));
        System.out.printf(
                "%n%-28s %8s %8s %8s %7s   goal, %d thread(s)%n", "one of", "ns", "+-", "bytes", "ratio", threads);
        byName.forEach((name, result) -> {
            Result<?> figure = result.getPrimaryResult();
            Optional<String> compared = goals.stream()
                    .filter(goal -> goal.figure().equals(name))
                    .flatMap(goal -> Stream.ofNullable(byName.get(goal.of()))
                            .map(of -> compared(goal, figure.getScore() / score(of))))
                    .findFirst();
            System.out.printf(
                    "%-28s %8.1f %8.1f %8.0f %s%n",
                    name, figure.getScore(), figure.getScoreError(), bytes(result), compared.orElse(""));
        });
    }

    private static double score(RunResult result) {
        return result.getPrimaryResult().getScore();
    }

    /** What one call leaves for the collector. */
    private static double bytes(RunResult result) {
        return Stream.ofNullable(result.getSecondaryResults().get("gc.alloc.rate.norm"))
                .mapToDouble(Result::getScore)
                .sum();
    }

    private static String compared(Ratio goal, double ratio) {
        String missed = ratio <= goal.goal() ? "" : "  MISSED";
        return "%7.2f   <= %.2f x %s%s".formatted(ratio, goal.goal(), goal.of(), missed);
    }

    private static String shortName(String benchmark) {
        return benchmark.substring(Bench.class.getPackageName().length() + 1);
    }
}
