package org.idallocator.bench.fleet;

import java.util.List;
import org.idallocator.bench.Arguments;
import org.idallocator.bench.Figures;
import org.idallocator.bench.Goals;
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

    private Fleet() {}

    public static void run(Arguments arguments) {
        boolean quick = arguments.quick();
        List<Integer> sizes = arguments.numbers("sizes", LARGEST, quick ? QUICK_SIZES : SIZES);
        try (Scratch scratch = new Scratch();
                Ensemble ensemble = Ensemble.start(scratch);
                Table table = new Table(
                        arguments, "replicas", "p50 ms", "p99 ms", "most ms", "writes a second", "requests a second")) {
            Replicas.warmUp(ensemble);
            for (int size : sizes) {
                System.err.println(size + " replicas");
                print(Replicas.measure(ensemble, size, quick ? QUICK_SECONDS : SECONDS), table);
            }
        }
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
        table.judged(Goals.FIRST_ID, p99);
        table.judged(Goals.WRITES, of.writes());
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
