package org.idallocator.bench.batches;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import org.idallocator.bench.Arguments;
import org.idallocator.bench.Goals;
import org.idallocator.bench.Ratio;
import org.idallocator.bench.Table;
import org.idallocator.bench.Together;
import org.idallocator.bench.process.Connection;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.Scratch;
import org.idallocator.bench.process.Server;
import org.idallocator.core.scheme.Uid60Scheme;

/** What a replica gives of uid60 that holds several slots. */
public final class Demand {
    private static final int CLIENTS = 16;
    private static final String PATH = "/ids/uid60?count=";
    private static final int COUNT = 100; // small, so that hardly any answer is under way when the time is over
    private static final int SECONDS = 60;
    private static final int QUICK_SECONDS = 3;
    private static final long WARMING_NANOS = 30_000_000_000L;
    private static final long A_SLOT = new Uid60Scheme(Duration.ofHours(1)).idsPerSecond();

    private final Server service;
    private final long fromNanos = System.nanoTime() + WARMING_NANOS;
    private final long untilNanos;

    private Demand(Server service, int seconds) {
        this.service = service;
        untilNanos = fromNanos + seconds * 1_000_000_000L;
    }

    public static void run(Arguments arguments) {
        int seconds = arguments.quick() ? QUICK_SECONDS : SECONDS;
        Path jar = Programs.jar(arguments);
        try (Scratch scratch = new Scratch();
                Table table = new Table(arguments, "leases: " + Goals.SLOTS, "a second", "one slot has")) {
            System.err.println("uid60, after " + WARMING_NANOS / 1_000_000_000 + " s of the same");
            String leases = "-Ddw.allocator.schemes.uid60.leases=" + Goals.SLOTS;
            try (Server service = Server.start(scratch, Programs.service(jar, scratch, "-Xmx512m", leases))) {
                Callable<Long> client = new Demand(service, seconds)::ask;
                double ids = Together.all(Collections.nCopies(CLIENTS, client)).stream()
                        .mapToLong(came -> came)
                        .sum();
                double aSecond = ids / seconds;
                table.row("uid60", "%,.0f".formatted(aSecond), "%,d".formatted(A_SLOT));
                table.judged(Goals.EIGHT_SLOTS, Ratio.of(aSecond, Goals.SLOTS * A_SLOT));
            }
        }
    }

    /** Asks until the time is over, and returns how many IDs came after the service was warm. */
    private long ask() {
        long ids = 0;
        try (Connection connection = service.connect()) {
            while (true) {
                boolean ok = connection.get(PATH + COUNT, "text/plain").status() == 200;
                long now = System.nanoTime();
                if (now - untilNanos >= 0) {
                    return ids;
                }
                ids += ok && now - fromNanos >= 0 ? COUNT : 0;
            }
        }
    }
}
