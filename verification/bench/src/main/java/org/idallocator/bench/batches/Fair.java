package org.idallocator.bench.batches;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.idallocator.bench.Arguments;
import org.idallocator.bench.Figures;
import org.idallocator.bench.Goals;
import org.idallocator.bench.Ratio;
import org.idallocator.bench.Table;
import org.idallocator.bench.Together;
import org.idallocator.bench.process.Connection;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.Scratch;
import org.idallocator.bench.process.Server;
import org.idallocator.core.clock.Clock;

/**
 * How long requests for one ID take while eight clients ask for as many as they can get. After each of them the client
 * asks for a gid, which nothing limits, at another moment. If the answer before came in a later tick than it was asked
 * for, the client first waits for the next tick: so the gids tell what a wait, HTTP and the machine take.
 */
public final class Fair {
    private static final int BATCHES = 8;
    private static final int SINGLES = 10;
    private static final int SECONDS = 60;
    private static final int QUICK_SECONDS = 5;
    private static final String GID =
            "/ids/gid?count=1"; // a thread of the pool answers that, as it does requests that wait
    private static final long WARM_UP_NANOS = 3_000_000_000L;
    private static final List<Cap> ALL = List.of(
            new Cap("uid60", 1_000, 1_024, 100_000),
            new Cap("uid60", 1_000, 1_024, 100),
            new Cap("eightbyte", 1, 64_000, 10_000),
            new Cap("sno", 4, 4_096_000, 100_000));

    private Fair() {}

    /**
     * A scheme at its cap.
     *
     * @param count what each of the eight asks for at a time
     */
    private record Cap(String scheme, int tickMillis, int idsASecond, int count) {

        String name() {
            return "%s beside %d x %,d".formatted(scheme, BATCHES, count);
        }

        long untilNextTickNanos() {
            long tickMicros = tickMillis * 1_000L;
            return 1_000 * (tickMicros - Clock.system().micros() % tickMicros);
        }

        /** Whether so many large answers end while this measures that their IDs can be counted. */
        boolean countable() {
            return count <= 2 * idsASecond;
        }
    }

    public static void run(Arguments arguments) {
        long nanos = (arguments.quick() ? QUICK_SECONDS : SECONDS) * 1_000_000_000L;
        Path jar = Programs.jar(arguments);
        try (Scratch scratch = new Scratch();
                Table table = new Table(
                        arguments,
                        "one ID beside many",
                        "p50 ms",
                        "p99 ms",
                        "p99 of gids",
                        "refused",
                        "many, a second")) {
            for (Cap cap : ALL) {
                System.err.println(cap.name());
                try (Server service = Server.start(
                        scratch,
                        Programs.service(
                                jar,
                                scratch,
                                "-Xmx512m",
                                "-Ddw.allocator.schemes.uid60.maxCount=100000",
                                "-Ddw.allocator.limits.longestBatch=1h"))) { // eight batches of 98 seconds each
                    Run run = new Run(cap, service, nanos);
                    run.play();
                    run.print(table);
                }
            }
        }
    }

    /** One scheme's requests. */
    private static final class Run {
        private final Cap cap;
        private final Server service;
        private final long fromNanos = System.nanoTime() + WARM_UP_NANOS;
        private final long lastsNanos;
        private final Queue<Double> singles = new ConcurrentLinkedQueue<>();
        private final Queue<Double> floors = new ConcurrentLinkedQueue<>();
        private final LongAdder refused = new LongAdder();
        private final LongAdder many = new LongAdder();

        Run(Cap cap, Server service, long lastsNanos) {
            this.cap = cap;
            this.service = service;
            this.lastsNanos = lastsNanos;
        }

        void play() {
            List<Callable<Boolean>> singly = new ArrayList<>();
            for (int i = 0; i < BATCHES; i++) {
                Thread thread = new Thread(this::askForMany);
                thread.setDaemon(true); // an answer may take longer than this measures
                thread.start();
            }
            for (int i = 0; i < SINGLES; i++) {
                Random random = new Random(i);
                singly.add(() -> {
                    askForOnes(random);
                    return true;
                });
            }
            var unused = Together.all(singly);
        }

        private long sinceNanos() {
            return System.nanoTime() - fromNanos;
        }

        private void askForMany() {
            String path = "/ids/" + cap.scheme() + "?count=" + cap.count();
            while (sinceNanos() < lastsNanos) {
                try (Connection connection = service.connect()) {
                    while (sinceNanos() < lastsNanos) {
                        boolean ok = connection.get(path, "text/plain").status() == 200;
                        long since = sinceNanos();
                        if (ok && since > 0 && since < lastsNanos) {
                            many.add(cap.count());
                        }
                    }
                } catch (UncheckedIOException e) {
                    if (sinceNanos() < lastsNanos) {
                        throw e;
                    } // else the service has ended before the answer
                }
            }
        }

        private void askForOnes(Random random) {
            String path = "/ids/" + cap.scheme();
            try (Connection connection = service.connect()) {
                while (sinceNanos() < lastsNanos) {
                    long from = pause(random);
                    long tickEndsNanos = cap.untilNextTickNanos();
                    int status = connection.get(path, "text/plain").status();
                    long took = System.nanoTime() - from;
                    from = pause(random);
                    if (took >= tickEndsNanos) {
                        LockSupport.parkNanos(cap.untilNextTickNanos());
                    }
                    connection.get(GID, "text/plain").requireOk(GID);
                    if (sinceNanos() < 0) {
                        continue;
                    }
                    floors.add((System.nanoTime() - from) / 1e6);
                    singles.add(took / 1e6);
                    if (status != 200) {
                        refused.increment();
                    }
                }
            }
        }

        /** So that requests come at any moment of a tick. Returns when that is. */
        private static long pause(Random random) {
            LockSupport.parkNanos(random.nextInt(200_000_000));
            return System.nanoTime();
        }

        void print(Table table) {
            Figures waits = new Figures(List.copyOf(singles));
            double floor = new Figures(List.copyOf(floors)).quantile(0.99);
            double p99 = waits.quantile(0.99);
            double aSecond = many.sum() / (lastsNanos / 1e9);
            table.row(
                    cap.name(),
                    "%.1f".formatted(waits.median()),
                    "%.1f".formatted(p99),
                    "%.1f".formatted(floor),
                    "%d".formatted(refused.sum()),
                    cap.countable() ? "%,.0f".formatted(aSecond) : "");
            table.judged(Goals.SINGLE_P99, Ratio.of(p99, floor));
            table.judged(Goals.SINGLE_REFUSED, Ratio.of(refused.sum(), singles.size()));
            if (cap.countable()) {
                table.judged(Goals.MANY, Ratio.of(aSecond, cap.idsASecond()));
            }
        }
    }
}
