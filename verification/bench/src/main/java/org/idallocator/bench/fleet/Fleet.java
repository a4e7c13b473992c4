package org.idallocator.bench.fleet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.idallocator.bench.process.Figures;
import org.idallocator.bench.process.Scratch;

/**
 * How a fleet of replicas starts and what it asks of ZooKeeper afterwards: the real lease code, each replica with a session of
 * its own, all at once, on an ensemble of three ZooKeepers. For each size of the fleet, the time of a replica from {@code
 * connect} to its first ID, and how many writes a second a replica causes while it only renews, by the servers' counters. The
 * plots go to {@code docs/fleet.svg}.
 *
 * <p>Replicas, their callers and the ZooKeepers share this machine, so that the times are upper bounds. {@code --sizes=8,512}
 * names other sizes; {@code --quick} measures a small fleet for seconds and draws no plots.
 */
public final class Fleet {
    private static final List<Integer> SIZES = List.of(8, 32, 128, 512);
    private static final List<Integer> QUICK_SIZES = List.of(4, 8);
    private static final String GIVEN_SIZES = "--sizes=";
    private static final int SECONDS = 30;
    private static final int QUICK_SECONDS = 5;
    private static final double LONGEST_MILLIS = 1_000;
    private static final double MOST_WRITES = 0.5;
    private static final Path PLOTS = Path.of("docs", "fleet.svg");

    private Fleet() {}

    public static void run(List<String> arguments) {
        boolean quick = arguments.contains("--quick");
        List<Integer> chosen = arguments.stream()
                .filter(each -> each.startsWith(GIVEN_SIZES))
                .findFirst()
                .map(Fleet::sizes)
                .orElse(quick ? QUICK_SIZES : SIZES);
        List<Measured> measured = new ArrayList<>();
        try (Scratch scratch = new Scratch();
                Ensemble ensemble = Ensemble.start(scratch)) {
            System.out.printf(
                    "%n%-8s %28s %30s%n%-8s %8s %8s %8s   %-14s %8s %8s   goal%n",
                    "",
                    "ms from connect to first ID",
                    "a second and replica",
                    "replicas",
                    "median",
                    "p99",
                    "most",
                    "goal of p99",
                    "writes",
                    "requests");
            Replicas.warmUp(ensemble);
            for (int size : chosen) {
                Measured of = Replicas.measure(ensemble, size, quick ? QUICK_SECONDS : SECONDS);
                print(of);
                measured.add(of);
            }
        }
        if (!quick) {
            Plots.write(PLOTS, measured);
            System.out.println("plots: " + PLOTS);
        }
    }

    private static List<Integer> sizes(String given) {
        return Arrays.stream(given.substring(GIVEN_SIZES.length()).split(",", -1))
                .map(Integer::valueOf)
                .toList();
    }

    private static void print(Measured of) {
        Figures millis = of.firstIdMillis();
        double p99 = millis.quantile(0.99);
        System.out.printf(
                "%-8d %8.0f %8.0f %8.0f   %-14s %8.3f %8.3f   %s%n",
                of.replicas(),
                millis.median(),
                p99,
                millis.most(),
                Figures.judged(p99, LONGEST_MILLIS),
                of.writes(),
                of.requests(),
                Figures.judged(of.writes(), MOST_WRITES));
    }

    /**
     * What was measured of one size.
     *
     * @param replicas the size
     * @param firstIdMillis from connect to the first ID, one for each replica
     * @param writes how many writes a second each replica caused afterwards
     * @param requests how many requests a second, reads and pings among them
     */
    record Measured(int replicas, Figures firstIdMillis, double writes, double requests) {}
}
