package org.idallocator.bench.batches;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.idallocator.bench.process.Figures;
import org.idallocator.bench.process.Scratch;

/**
 * How long a million IDs of one answer take, beside an answer of as many ready bytes; and whether a heap of 64 MiB serves a hundred
 * million.
 */
public final class Batches {
    private static final int COUNT = 1_000_000;
    private static final int MANY = 100_000_000;
    private static final List<Asked> ALL = List.of(
            new Asked("sno", "/ids/sno?count=", "text/plain", 2.6),
            new Asked("sno", "/ids/sno?count=", "application/x-ndjson", 3.0),
            new Asked("sno", "/ids/sno?count=", "application/json", 3.1),
            new Asked("muid, one transaction", "/ids/muid?transaction=true&count=", "text/plain", 2.6),
            new Asked("muid, one transaction", "/ids/muid?transaction=true&count=", "application/x-ndjson", 3.0),
            new Asked("muid, one transaction", "/ids/muid?transaction=true&count=", "application/json", 3.1),
            new Asked("gid", "/ids/gid?count=", "text/plain", 0));

    private Batches() {}

    /** One row; without a goal where that is 0. */
    private record Asked(String ids, String path, String accept, double goal) {}

    /** {@code --quick} measures for moments, to see that everything runs. */
    public static void run(List<String> arguments) {
        boolean quick = arguments.contains("--quick");
        try (Scratch scratch = new Scratch()) {
            rates(scratch, quick ? 3 : 25);
            memory(scratch, quick ? MANY / 20 : MANY);
        }
    }

    private static void rates(Scratch scratch, int rounds) {
        System.out.printf(
                Locale.ROOT,
                "A million IDs in one answer. A slot holds one sno every 61 ns at most (shards: 1); nothing limits a muid's"
                        + " transaction.%n%n%-22s %-21s %8s %8s %7s   goal%n",
                "ids",
                "as",
                "ns an ID",
                "ready",
                "ratio");
        try (Service service = Service.start(scratch, "-Xmx512m", "-Ddw.allocator.schemes.sno.shards=1");
                Service ready = Service.readyBytes(scratch);
                Connection ids = service.connect();
                Connection bytes = ready.connect()) {
            for (Asked asked : ALL) {
                rate(asked, ids, bytes, rounds);
            }
        }
    }

    private static void rate(Asked asked, Connection ids, Connection bytes, int rounds) {
        String path = asked.path() + COUNT;
        long length = ids.get(path, asked.accept()).requireOk(path).bytes();
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < 2 * rounds; i++) {
            double our = nanosAnId(ids, path, asked.accept());
            double their = nanosAnId(bytes, "/" + length, "*/*");
            if (i >= rounds) { // the first half warms up
                ours.add(our);
                theirs.add(their);
                ratios.add(our / their);
            }
        }
        double ratio = new Figures(ratios).median();
        System.out.printf(
                Locale.ROOT,
                "%-22s %-21s %8.1f %8.1f %7.2f   %s%n",
                asked.ids(),
                asked.accept(),
                new Figures(ours).median(),
                new Figures(theirs).median(),
                ratio,
                asked.goal() == 0 ? "" : Figures.judged(ratio, asked.goal()));
    }

    private static double nanosAnId(Connection connection, String path, String accept) {
        long from = System.nanoTime();
        connection.get(path, accept).requireOk(path);
        return (System.nanoTime() - from) / (double) COUNT;
    }

    private static void memory(Scratch scratch, int count) {
        try (Service small = Service.start(scratch, "-Xmx64m", "-Ddw.allocator.schemes.sno.shards=1");
                Connection ids = small.connect()) {
            System.out.printf(Locale.ROOT, "%nwith a heap of 64 MiB:%n");
            for (String accept : List.of("text/plain", "application/x-ndjson", "application/json")) {
                String path = "/ids/sno?count=" + count;
                long from = System.nanoTime();
                long bytes = ids.get(path, accept).requireOk(path).bytes();
                System.out.printf(
                        Locale.ROOT,
                        "%,d sno as %s: %,d bytes in %.1f s, whole%n",
                        count,
                        accept,
                        bytes,
                        (System.nanoTime() - from) / 1e9);
            }
        }
    }
}
