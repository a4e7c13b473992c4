package org.idallocator.bench.fleet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.bench.Arguments;
import org.idallocator.bench.Figures;
import org.idallocator.bench.Goals;
import org.idallocator.bench.Ratio;
import org.idallocator.bench.Table;
import org.idallocator.bench.process.Ensemble;
import org.idallocator.bench.process.Scratch;
import org.idallocator.zk.settings.Terms;

/**
 * How a fleet of replicas starts and what it asks of ZooKeeper afterwards: the real lease code, each replica with a
 * session of its own, all together, on an ensemble of three ZooKeepers. For each size of the fleet, the time of a
 * replica from {@code connect} to its first ID, in turns with {@link BareSessions}, and how many writes a second a
 * replica causes while it only renews, by the servers' counters. {@code --window=SECONDS} has the replicas reserve
 * further ahead.
 *
 * <p>Replicas, their callers and the ZooKeepers share this machine, so that the times are upper bounds.
 */
public final class Fleet {
    private static final List<Integer> SIZES = List.of(8, 32, 128, 512);
    private static final List<Integer> QUICK_SIZES = List.of(4, 8);
    private static final int LARGEST = 1_024; // as many slots as the sno scheme has by default
    private static final int LONGEST_WINDOW = (int) Terms.WINDOW.most().toSeconds();
    private static final int ROUNDS = 3;
    private static final int SECONDS = 30;
    private static final int QUICK_SECONDS = 5;

    private Fleet() {}

    public static void run(Arguments arguments) {
        boolean quick = arguments.quick();
        List<Integer> sizes = arguments.numbers("sizes", LARGEST, quick ? QUICK_SIZES : SIZES);
        int usual = (int) Terms.WINDOW.usual().toSeconds();
        Duration window = Duration.ofSeconds(arguments.number("window", LONGEST_WINDOW, usual));
        try (Scratch scratch = new Scratch();
                Ensemble ensemble = Ensemble.start(scratch);
                Table table = new Table(
                        arguments, "replicas", "p50 ms", "p99 ms", "most ms", "writes a second", "requests a second")) {
            Replicas.warmUp(ensemble);
            for (int size : sizes) {
                System.err.println(size + " replicas");
                measure(ensemble, size, window, quick, table);
            }
        }
    }

    private static void measure(Ensemble ensemble, int size, Duration window, boolean quick, Table table) {
        List<Figures> bare = new ArrayList<>();
        List<Figures> fleets = new ArrayList<>();
        for (int more = quick ? 0 : ROUNDS - 1; more > 0; more--) {
            bare.add(BareSessions.millis(ensemble, size));
            fleets.add(Replicas.firstIdMillis(ensemble, size, window));
        }
        bare.add(BareSessions.millis(ensemble, size));
        Measured last = Replicas.measure(ensemble, size, window, quick ? QUICK_SECONDS : SECONDS);
        fleets.add(last.firstIdMillis());
        table.figures(Integer.toString(size), "%s|%.3f|%.3f", medians(fleets), last.writes(), last.requests());
        judge(all(fleets, Fleet::p99), all(bare, Fleet::p99), table);
        table.judged(Goals.WRITES, last.writes());
        table.figures(size + " bare sessions", "%s||", medians(bare));
    }

    /** Where bare sessions take so long that the ratio to them allows more than a second, the machine is the limit. */
    private static void judge(List<Double> p99, List<Double> floor, Table table) {
        if (Goals.FIRST_ID_AT_FLOOR.limit() * new Figures(floor).median() > Goals.FIRST_ID.amount()) {
            table.judged(Goals.FIRST_ID_AT_FLOOR, Ratio.of(p99, floor));
        } else {
            table.judged(Goals.FIRST_ID, new Figures(p99).median());
        }
    }

    private static String medians(List<Figures> rounds) {
        return Stream.<ToDoubleFunction<Figures>>of(Figures::median, Fleet::p99, Figures::most)
                .map(part -> "%.0f".formatted(new Figures(all(rounds, part)).median()))
                .collect(Collectors.joining("|"));
    }

    private static List<Double> all(List<Figures> rounds, ToDoubleFunction<Figures> part) {
        return rounds.stream().map(part::applyAsDouble).toList();
    }

    private static double p99(Figures millis) {
        return millis.quantile(0.99);
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
