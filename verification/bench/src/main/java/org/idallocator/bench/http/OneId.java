package org.idallocator.bench.http;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
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
 * One ID over HTTP, of every scheme, as text and as JSON, beside a Jetty handler on the selector's thread that writes the same head
 * and as many ready bytes as the answer with a sno has. Each is a process of its own. They are measured in turns. A figure is the
 * median of the rounds, and a ratio is the median of the ratios within a round.
 */
public final class OneId {
    private static final List<Medium> MEDIA =
            List.of(new Medium("text", "text/plain", "/17"), new Medium("JSON", "application/json", "/40"));
    private static final Map<Integer, Goal> CONNECTIONS = new TreeMap<>(Map.of(16, Goals.ONE_16, 64, Goals.ONE_64));
    private static final int ROUNDS = 15; // short ones: a machine's speed drifts within seconds
    private static final long LEAD_NANOS = 200_000_000; // a machine is slow at first after the pauses of another scheme

    private final List<Asked> asked;
    private final int rounds;
    private final long warmUpNanos;
    private final long roundNanos;

    private OneId(List<Asked> asked, boolean quick) {
        this.asked = asked;
        rounds = quick ? 1 : ROUNDS;
        warmUpNanos = TimeUnit.MILLISECONDS.toNanos(quick ? 300 : 5_000);
        roundNanos = TimeUnit.MILLISECONDS.toNanos(quick ? 300 : 700);
    }

    /** A media type with its name, and the path of as many ready bytes as an answer of it with a sno has. */
    private record Medium(String name, String type, String ready) {}

    /**
     * What is asked for in turns.
     *
     * @param path that of IDs; empty for ready bytes
     * @param most what one slot may give in a second; none for ready bytes
     * @param tickNanos how long a tick lasts, of which the slot gives so many at most
     */
    private record Asked(String name, Server server, String path, long most, long tickNanos) {
        boolean isReady() {
            return path.isEmpty();
        }

        String path(Medium medium) {
            return isReady() ? medium.ready() : path;
        }
    }

    public static void run(Arguments arguments) {
        List<String> schemes = arguments.chosen(Schemes.names(), Function.identity());
        Path jar = Programs.jar(arguments);
        try (Scratch scratch = new Scratch();
                Server selector = Server.start(scratch, Programs.readyBytes(ReadyBytes.SELECTOR));
                Server pool = Server.start(scratch, Programs.readyBytes(ReadyBytes.POOL));
                Server service = Server.start(scratch, Programs.service(jar, scratch));
                Table table = new Table(arguments, "one ID", "a second", "p50 ms", "p99 ms")) {
            List<Asked> asked = new ArrayList<>();
            asked.add(new Asked("ready bytes", selector, "", Long.MAX_VALUE, 0));
            asked.add(new Asked("ready bytes of a thread of the pool", pool, "", Long.MAX_VALUE, 0));
            for (String scheme : schemes) {
                Scheme<?> of = Schemes.named(scheme, Schemes.all());
                long tickNanos = of.pool()
                        .map(slots -> 1_000 * slots.unit().tickMicros())
                        .orElse(0L);
                asked.add(new Asked(scheme, service, "/ids/" + scheme, of.idsPerSecond(), tickNanos));
            }
            new OneId(asked, arguments.quick()).measure(table);
        }
    }

    private void measure(Table table) {
        for (int connections : CONNECTIONS.keySet()) {
            for (Medium medium : MEDIA) {
                System.err.println(medium.name() + ", " + connections + " connections");
                measure(connections, medium, table);
            }
        }
    }

    private void measure(int connections, Medium medium, Table table) {
        Map<Asked, List<Load.Measured>> figures = new LinkedHashMap<>();
        for (int round = -1; round < rounds; round++) {
            boolean warmUp = round < 0;
            for (Asked each : asked) {
                try (Load load = Load.on(each.server(), connections, each.path(medium), medium.type())) {
                    long nanos = Math.max(each.tickNanos(), warmUp ? warmUpNanos : roundNanos);
                    Load.Measured measured = load.run(Math.max(each.tickNanos(), LEAD_NANOS), nanos);
                    if (!warmUp) {
                        figures.computeIfAbsent(each, any -> new ArrayList<>()).add(measured);
                    }
                }
            }
        }
        List<List<Load.Measured>> ready = List.copyOf(figures.values()).subList(0, 2);
        figures.forEach((each, measured) -> {
            String name = each.name() + ", " + medium.name() + ", " + connections;
            table.figures(
                    name,
                    "%,.0f|%.3f|%.3f",
                    median(measured, Load.Measured::perSecond),
                    median(measured, Load.Measured::p50Millis),
                    median(measured, Load.Measured::p99Millis));
            judge(each, CONNECTIONS.get(connections), measured, ready, table);
        });
    }

    /**
     * Where one slot cannot give as many IDs as are wanted, callers wait for ticks, on threads of the pool. Then the goal is what such
     * a thread does with ready bytes, or what the slot gives, where that is less.
     */
    private static void judge(
            Asked one, Goal goal, List<Load.Measured> measured, List<List<Load.Measured>> ready, Table table) {
        List<Double> perSecond = all(measured, Load.Measured::perSecond);
        List<Double> selector = all(ready.get(0), Load.Measured::perSecond);
        List<Double> pool = all(ready.get(1), Load.Measured::perSecond);
        if (one.isReady()) {
            table.compared(Ratio.of(perSecond, selector));
        } else if (one.most() >= goal.limit() * new Figures(selector).median()) {
            table.judged(goal, Ratio.of(perSecond, selector));
            table.judged(
                    Goals.ONE_P99,
                    Ratio.of(all(measured, Load.Measured::p99Millis), all(ready.get(0), Load.Measured::p99Millis)));
        } else if (one.most() >= Goals.ONE_WAITING.limit() * new Figures(pool).median()) {
            table.judged(Goals.ONE_WAITING, Ratio.of(perSecond, pool));
        } else {
            table.judged(Goals.ONE_AT_LIMIT, Ratio.of(new Figures(perSecond).median(), one.most()));
        }
    }

    private static double median(List<Load.Measured> measured, ToDoubleFunction<Load.Measured> part) {
        return new Figures(all(measured, part)).median();
    }

    private static List<Double> all(List<Load.Measured> measured, ToDoubleFunction<Load.Measured> part) {
        return measured.stream().map(part::applyAsDouble).toList();
    }
}
