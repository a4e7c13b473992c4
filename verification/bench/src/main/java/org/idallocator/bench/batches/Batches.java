package org.idallocator.bench.batches;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.bench.Arguments;
import org.idallocator.bench.Figures;
import org.idallocator.bench.Goal;
import org.idallocator.bench.Goals;
import org.idallocator.bench.Ratio;
import org.idallocator.bench.Table;
import org.idallocator.bench.process.Connection;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.ReadyBytes;
import org.idallocator.bench.process.Scratch;
import org.idallocator.bench.process.Server;
import org.idallocator.core.scheme.SnoScheme;

/**
 * How long a million IDs of one answer take, beside an answer of as many ready bytes; and whether a heap of 64 MiB
 * serves a hundred million.
 */
public final class Batches {
    private static final int COUNT = 1_000_000;
    private static final int MANY = 100_000_000;
    private static final int ROUNDS = 200;
    private static final int QUICK_ROUNDS = 3;
    private static final String SNO = "/ids/sno?count=";
    private static final String TRANSACTION = "/ids/muid?transaction=true&count=";
    private static final String ONE_SHARD = "-Ddw.allocator.schemes.sno.shards=1";
    private static final String LEASES = "-Ddw.allocator.schemes.sno.leases=";
    private static final long WARMING_NANOS = 20_000_000_000L;

    /** What a slot of a sno scheme with one shard needs for an ID. */
    private static final double SNO_NANOS = 1e9 / new SnoScheme(0, 1, 1).idsPerSecond();

    private static final Medium TEXT = new Medium("text/plain", 17, Goals.MILLION_TEXT);
    private static final Medium NDJSON = new Medium("application/x-ndjson", 19, Goals.MILLION_NDJSON);
    private static final Medium JSON = new Medium("application/json", 19, Goals.MILLION_JSON);
    private static final List<Asked> OF_ONE_SLOT = List.of(
            new Asked("sno", SNO, TEXT, SNO_NANOS, true),
            new Asked("sno", SNO, NDJSON, SNO_NANOS, true),
            new Asked("sno", SNO, JSON, SNO_NANOS, true),
            new Asked("muid, one transaction", TRANSACTION, TEXT, 0, true),
            new Asked("muid, one transaction", TRANSACTION, NDJSON, 0, true),
            new Asked("muid, one transaction", TRANSACTION, JSON, 0, true),
            new Asked("gid", "/ids/gid?count=", TEXT, 0, false));
    private static final List<Asked> OF_SEVERAL_SLOTS = List.of(
            new Asked("sno of several slots", SNO, TEXT, 0, true),
            new Asked("sno of several slots", SNO, NDJSON, 0, true),
            new Asked("sno of several slots", SNO, JSON, 0, true));

    private final Scratch scratch;
    private final Path jar;
    private final Table table;

    private Batches(Scratch scratch, Path jar, Table table) {
        this.scratch = scratch;
        this.jar = jar;
        this.table = table;
    }

    /**
     * A media type.
     *
     * @param snoBytes how many bytes a list has for each sno at least
     */
    private record Medium(String type, int snoBytes, Goal goal) {}

    /**
     * What is asked for.
     *
     * @param leastNanos what a slot needs for an ID by its specification
     * @param judged whether the medium's goal is one of these IDs
     */
    private record Asked(String ids, String path, Medium medium, double leastNanos, boolean judged) {

        String name() {
            return ids + ", " + medium.type();
        }
    }

    public static void run(Arguments arguments) {
        boolean quick = arguments.quick();
        Path jar = Programs.jar(arguments);
        try (Scratch scratch = new Scratch();
                Table table = new Table(arguments, "many IDs", "ns an ID", "ready bytes")) {
            Batches batches = new Batches(scratch, jar, table);
            int rounds = quick ? QUICK_ROUNDS : ROUNDS;
            batches.rates(OF_ONE_SLOT, rounds, 0, LEASES + 1);
            batches.rates(OF_SEVERAL_SLOTS, rounds, WARMING_NANOS, LEASES + Goals.SLOTS);
            batches.smallHeap(quick ? MANY / 20 : MANY);
        }
    }

    /** {@code warmingNanos} is how long the service is asked for snos first. */
    private void rates(List<Asked> all, int rounds, long warmingNanos, String leases) {
        try (Server service = Server.start(scratch, Programs.service(jar, scratch, "-Xmx512m", ONE_SHARD, leases));
                Server ready = Server.start(scratch, Programs.readyBytes(ReadyBytes.POOL));
                Connection ids = service.connect();
                Connection bytes = ready.connect()) {
            for (long from = System.nanoTime(); System.nanoTime() - from < warmingNanos; ) {
                nanosAnId(ids, SNO + COUNT, TEXT.type());
            }
            List<Row> rows = all.stream().map(asked -> Row.of(asked, ids)).toList();
            for (int i = 1; i <= 2 * rounds; i++) {
                if (i % 50 == 1) {
                    System.err.println("round " + i + " of " + 2 * rounds);
                }
                for (Row row : rows) {
                    row.measure(ids, bytes, i > rounds); // the first half warms up
                }
            }
            rows.forEach(this::fill);
        }
    }

    /** A row and its figures. All rows are measured in turns, because a machine can be slow for some seconds. */
    private record Row(Asked asked, long length, List<Double> ours, List<Double> theirs) {

        static Row of(Asked asked, Connection ids) {
            String path = asked.path() + COUNT;
            long length = ids.get(path, asked.medium().type()).requireOk(path).bytes();
            return new Row(asked, length, new ArrayList<>(), new ArrayList<>());
        }

        void measure(Connection ids, Connection bytes, boolean counts) {
            double our = nanosAnId(ids, asked.path() + COUNT, asked.medium().type());
            double their = nanosAnId(bytes, "/" + length, "*/*");
            if (counts) {
                ours.add(our);
                theirs.add(their);
            }
        }
    }

    private void fill(Row row) {
        Asked asked = row.asked();
        double ready = new Figures(row.theirs()).median();
        Ratio ratio = Ratio.of(row.ours(), row.theirs());
        table.row(asked.name(), "%.1f".formatted(new Figures(row.ours()).median()), "%.1f".formatted(ready));
        Goal goal = asked.medium().goal();
        if (!asked.judged()) {
            table.compared(ratio);
        } else if (asked.leastNanos() > goal.limit() * ready) {
            table.excused(goal, ratio, "one slot takes %.0f ns".formatted(asked.leastNanos()));
        } else {
            table.judged(goal, ratio);
        }
    }

    private static double nanosAnId(Connection connection, String path, String accept) {
        long from = System.nanoTime();
        connection.get(path, accept).requireOk(path);
        return (System.nanoTime() - from) / (double) COUNT;
    }

    private void smallHeap(int count) {
        try (Server small = Server.start(scratch, Programs.service(jar, scratch, "-Xmx64m", ONE_SHARD))) {
            for (Medium medium : List.of(TEXT, NDJSON, JSON)) {
                System.err.println("a heap of 64 MiB, " + medium.type());
                long from = System.nanoTime();
                long bytes = bytes(small, SNO + count, medium.type());
                double nanos = (System.nanoTime() - from) / (double) count;
                table.row("%,d sno, %s, 64 MiB".formatted(count, medium.type()), "%.1f".formatted(nanos), "");
                table.judged(Goals.SMALL_HEAP, Ratio.of(bytes / medium.snoBytes(), count));
            }
        }
    }

    /** The length of a whole answer; 0 where there was none, or the answer was cut off. */
    private static long bytes(Server server, String path, String accept) {
        try (Connection connection = server.connect()) {
            return connection.get(path, accept).requireOk(path).bytes();
        } catch (UncheckedIOException | IllegalStateException e) {
            System.err.println(e);
            return 0;
        }
    }
}
