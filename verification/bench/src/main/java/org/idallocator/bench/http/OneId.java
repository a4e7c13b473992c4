package org.idallocator.bench.http;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.idallocator.bench.Arguments;
import org.idallocator.bench.Figures;
import org.idallocator.bench.Goal;
import org.idallocator.bench.Goals;
import org.idallocator.bench.Ratio;
import org.idallocator.bench.Table;
import org.idallocator.bench.process.Load;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.ReadyBytes;
import org.idallocator.bench.process.Scratch;
import org.idallocator.bench.process.Server;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;

/**
 * One ID over HTTP, of every scheme, as text and as JSON, beside a Jetty handler on the selector's thread that writes
 * the same head and as many ready bytes as the answer with a sno has. Each is a process of its own. In a round both are
 * measured, one right after the other, and the other one first in the next round: so what the machine does meanwhile
 * meets both. A figure is the median of the rounds, and a ratio is the median of the ratios within a round.
 */
public final class OneId {
    private static final List<Medium> MEDIA =
            List.of(new Medium("text", "text/plain", "/17"), new Medium("JSON", "application/json", "/40"));
    private static final Map<Integer, Goal> CONNECTIONS = new TreeMap<>(Map.of(16, Goals.ONE_16, 64, Goals.ONE_64));
    private static final int ROUNDS = 40; // many short ones: a machine's speed drifts within a second
    private static final int TICKS = 10;
    private static final long LEAD_NANOS = 100_000_000; // the first answers over new connections take longer

    private final Server service;
    private final Server selector;
    private final Server ticks;
    private final Table table;
    private final int rounds;
    private final long warmUpNanos;
    private final long roundNanos;

    private OneId(Server service, Server selector, Server ticks, Table table, boolean quick) {
        this.service = service;
        this.selector = selector;
        this.ticks = ticks;
        this.table = table;
        rounds = quick ? 1 : ROUNDS;
        warmUpNanos = TimeUnit.MILLISECONDS.toNanos(quick ? 300 : 4_000);
        roundNanos = TimeUnit.MILLISECONDS.toNanos(250);
    }

    /** A media type with its name, and the path of as many ready bytes as an answer of it with a sno has. */
    private record Medium(String name, String type, String ready) {}

    /** What is asked for over so many connections. */
    private record Asked(Server server, String path, String type, int connections) {

        Load.Measured measured(long leadNanos, long nanos) {
            try (Load load = Load.on(server, connections, path, type)) {
                return load.run(leadNanos, nanos);
            }
        }
    }

    public static void run(Arguments arguments) {
        List<String> schemes = arguments.chosen(Schemes.names(), Function.identity());
        Path jar = Programs.jar(arguments);
        try (Scratch scratch = new Scratch();
                Server selector = Server.start(scratch, Programs.readyBytes(ReadyBytes.SELECTOR));
                Server ticks = Server.start(scratch, Programs.readyBytes(ReadyBytes.TICKS));
                Server service = Server.start(scratch, Programs.service(jar, scratch));
                Table table = new Table(arguments, "one ID", "a second", "p50 ms", "p99 ms")) {
            OneId oneId = new OneId(service, selector, ticks, table, arguments.quick());
            CONNECTIONS.forEach((connections, goal) -> {
                for (Medium medium : MEDIA) {
                    System.err.println(medium.name() + ", " + connections + " connections");
                    oneId.measure(schemes, medium, connections, goal);
                }
            });
        }
    }

    /**
     * Where one slot cannot give as many IDs as are wanted, callers wait for ticks, on threads of the pool. Then the
     * goal is what such threads do with ready bytes that wait for ticks, too, or what the slot gives, where that is
     * less.
     */
    private void measure(List<String> schemes, Medium medium, int connections, Goal goal) {
        Asked ready = new Asked(selector, medium.ready(), medium.type(), connections);
        Asked waiting = new Asked(ticks, medium.ready(), medium.type(), connections);
        double waitingPerSecond = warmedUp(waiting); // first: so the client has warmed up, too, where the other decides
        double readyPerSecond = warmedUp(ready);
        for (String name : schemes) {
            Scheme<?> scheme = Schemes.named(name, Schemes.all());
            Asked id = new Asked(service, "/ids/" + name, medium.type(), connections);
            String row = name + ", " + medium.name() + ", " + connections;
            double unused = warmedUp(id);
            if (scheme.idsPerSecond() >= goal.limit() * readyPerSecond) {
                beside(ready, id, row, List.of(goal, Goals.ONE_P99));
            } else if (scheme.idsPerSecond() >= Goals.ONE_WAITING.limit() * waitingPerSecond) {
                beside(waiting, id, row, List.of(Goals.ONE_WAITING));
            } else {
                atLimit(id, row, scheme);
            }
        }
    }

    /** Answers a second, once the server has warmed up. */
    private double warmedUp(Asked asked) {
        return asked.measured(warmUpNanos, 2 * roundNanos).perSecond();
    }

    /** In turns. The first goal is for answers a second, the second for their 99th percentile. */
    private void beside(Asked ready, Asked id, String row, List<Goal> goals) {
        List<Load.Measured> readies = new ArrayList<>();
        List<Load.Measured> ids = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            if (round % 2 == 0) {
                readies.add(ready.measured(LEAD_NANOS, roundNanos));
            }
            ids.add(id.measured(LEAD_NANOS, roundNanos));
            if (round % 2 == 1) {
                readies.add(ready.measured(LEAD_NANOS, roundNanos));
            }
        }
        figures(row, ids);
        List<ToDoubleFunction<Load.Measured>> judged = List.of(Load.Measured::perSecond, Load.Measured::p99Millis);
        for (int i = 0; i < goals.size(); i++) {
            table.judged(goals.get(i), Ratio.of(all(ids, judged.get(i)), all(readies, judged.get(i))));
        }
        figures("  ready bytes", readies);
    }

    private void atLimit(Asked id, String row, Scheme<?> scheme) {
        long tickNanos = 1_000 * scheme.pool().orElseThrow().unit().tickMicros();
        List<Load.Measured> measured = Stream.generate(() -> id.measured(tickNanos, tickNanos))
                .limit(rounds == 1 ? 1 : TICKS)
                .toList();
        figures(row, measured);
        table.judged(Goals.ONE_AT_LIMIT, Ratio.of(median(measured, Load.Measured::perSecond), scheme.idsPerSecond()));
    }

    private void figures(String row, List<Load.Measured> measured) {
        table.figures(
                row,
                "%,.0f|%.3f|%.3f",
                median(measured, Load.Measured::perSecond),
                median(measured, Load.Measured::p50Millis),
                median(measured, Load.Measured::p99Millis));
    }

    private static double median(List<Load.Measured> measured, ToDoubleFunction<Load.Measured> part) {
        return new Figures(all(measured, part)).median();
    }

    private static List<Double> all(List<Load.Measured> measured, ToDoubleFunction<Load.Measured> part) {
        return measured.stream().map(part::applyAsDouble).toList();
    }
}
