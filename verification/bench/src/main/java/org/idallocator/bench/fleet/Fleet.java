package org.idallocator.bench.fleet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.idallocator.bench.Arguments;
import org.idallocator.bench.Figures;
import org.idallocator.bench.Goals;
import org.idallocator.bench.Panel;
import org.idallocator.bench.Ratio;
import org.idallocator.bench.Svg;
import org.idallocator.bench.Svg.Ink;
import org.idallocator.bench.Table;
import org.idallocator.bench.process.Ensemble;
import org.idallocator.bench.process.Scratch;

/**
 * How a fleet of replicas starts and what it asks of ZooKeeper afterwards: the real lease code, each replica with a session of
 * its own, all at once, on an ensemble of three ZooKeepers. For each size of the fleet, the time of a replica from {@code
 * connect} to its first ID, and how many writes a second a replica causes while it only renews, by the servers' counters.
 *
 * <p>Replicas, their callers and the ZooKeepers share this machine, so that the times are upper bounds.
 */
public final class Fleet {
    private static final List<Integer> SIZES = List.of(8, 32, 128, 512);
    private static final List<Integer> QUICK_SIZES = List.of(4, 8);
    private static final int LARGEST = 1_024; // as many slots as the sno scheme has by default
    private static final int SECONDS = 30;
    private static final int QUICK_SECONDS = 5;
    private static final Path PLOTS = Path.of("docs", "fleet.svg");

    private Fleet() {}

    public static void run(Arguments arguments) {
        boolean quick = arguments.quick();
        List<Integer> sizes = arguments.numbers("sizes", LARGEST, quick ? QUICK_SIZES : SIZES);
        List<Measured> measured = new ArrayList<>();
        try (Scratch scratch = new Scratch();
                Ensemble ensemble = Ensemble.start(scratch);
                Table table = new Table(
                        arguments, "replicas", "p50 ms", "p99 ms", "most ms", "writes a second", "requests a second")) {
            Replicas.warmUp(ensemble);
            for (int size : sizes) {
                System.err.println(size + " replicas");
                Measured of = Replicas.measure(ensemble, size, quick ? QUICK_SECONDS : SECONDS);
                print(of, table);
                measured.add(of);
            }
        }
        if (arguments.whole()) {
            drawn(measured).write(PLOTS);
        }
    }

    private static Svg drawn(List<Measured> measured) {
        List<String> sizes =
                measured.stream().map(of -> Integer.toString(of.replicas())).toList();
        List<Double> p99 = figures(measured, of -> of.firstIdMillis().quantile(0.99));
        List<Double> writes = figures(measured, Measured::writes);
        String times = "ms from connect to the first ID";
        String load = "writes a second of each replica";
        Svg svg = Panel.drawing(2, "A fleet by its size: " + times + ", and " + load);
        new Panel(svg, 0, times, Goals.FIRST_ID_MILLIS, p99)
                .level(Ink.BAD, Goals.FIRST_ID_MILLIS, "goal")
                .axis(sizes, "replicas")
                .legend(0, Ink.GOOD, "99th percentile")
                .legend(90, Ink.FAINT, "median")
                .curve(Ink.FAINT, figures(measured, of -> of.firstIdMillis().median()))
                .curve(Ink.GOOD, p99);
        new Panel(svg, 1, load, Goals.WRITES_A_SECOND, writes)
                .level(Ink.BAD, Goals.WRITES_A_SECOND, "goal")
                .axis(sizes, "replicas")
                .curve(Ink.GOOD, writes);
        return svg;
    }

    private static List<Double> figures(List<Measured> measured, ToDoubleFunction<Measured> figure) {
        return measured.stream().map(figure::applyAsDouble).toList();
    }

    private static void print(Measured of, Table table) {
        Figures millis = of.firstIdMillis();
        double p99 = millis.quantile(0.99);
        table.figures(
                Integer.toString(of.replicas()),
                "%.0f|%.0f|%.0f|%.3f|%.3f",
                millis.median(),
                p99,
                millis.most(),
                of.writes(),
                of.requests());
        table.judged(Goals.FIRST_ID, Ratio.of(p99, Goals.FIRST_ID_MILLIS));
        table.judged(Goals.WRITES, Ratio.of(of.writes(), Goals.WRITES_A_SECOND));
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
