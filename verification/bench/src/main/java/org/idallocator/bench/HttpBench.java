package org.idallocator.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * One ID over HTTP, of every scheme, as text and as JSON, beside a Jetty handler that writes 17 ready bytes. Each is a process of
 * its own on loopback. They are measured by turns, and what is printed are medians of all rounds. Arguments are the schemes, all where
 * there are none; {@code --jar=PATH} is the service's jar, by default the one that the build makes; {@code --quick} measures for
 * moments.
 */
final class HttpBench {
    private static final Map<String, String> MEDIA = media();
    private static final List<Integer> CONNECTIONS = List.of(16, 64);
    private static final String JAR = "--jar=";

    private final Path jar;
    private final List<String> schemes;
    private final int rounds;
    private final long warmUpNanos;
    private final long roundNanos;

    private HttpBench(Path jar, List<String> schemes, boolean quick) {
        this.jar = jar;
        this.schemes = schemes;
        rounds = quick ? 1 : 5;
        warmUpNanos = TimeUnit.MILLISECONDS.toNanos(quick ? 300 : 5_000);
        roundNanos = TimeUnit.MILLISECONDS.toNanos(quick ? 300 : 2_000);
    }

    private static Map<String, String> media() {
        Map<String, String> media = new LinkedHashMap<>();
        media.put("text", "text/plain");
        media.put("JSON", "application/json");
        return media;
    }

    static void run(List<String> arguments) throws IOException, InterruptedException {
        List<String> schemes = new ArrayList<>(arguments);
        boolean quick = schemes.remove("--quick");
        Path jar = Path.of("allocator-service", "target", "allocator-service.jar");
        for (String argument : arguments) {
            if (argument.startsWith(JAR)) {
                jar = Path.of(argument.substring(JAR.length()));
                schemes.remove(argument);
            }
        }
        List<String> all = HttpGoals.SCHEMES;
        if (!all.containsAll(schemes)) {
            throw new IllegalArgumentException("schemes must be of " + all + ": " + schemes);
        }
        new HttpBench(jar.toAbsolutePath(), schemes.isEmpty() ? all : schemes, quick).run();
    }

    private void run() throws IOException, InterruptedException {
        List<String> paths = schemes.stream().map(HttpBench::path).toList();
        try (Subject pool = Subject.readyBytes(ReadyBytes.POOL);
                Subject selector = Subject.readyBytes(ReadyBytes.SELECTOR);
                Subject service = Subject.service(jar, paths)) {
            System.out.printf(
                    "%-34s %10s %8s %8s %7s %9s   goals%n",
                    "of one ID", "a second", "p50 ms", "p99 ms", "ratio", "p99 ratio");
            for (int connections : CONNECTIONS) {
                for (Map.Entry<String, String> medium : MEDIA.entrySet()) {
                    compare(List.of(pool, selector, service), connections, medium);
                }
            }
        }
    }

    private static String path(String scheme) {
        return "/ids/" + scheme;
    }

    private void compare(List<Subject> subjects, int connections, Map.Entry<String, String> medium)
            throws IOException, InterruptedException {
        Map<String, List<Load.Measured>> figures = new LinkedHashMap<>();
        for (int round = -1; round < rounds; round++) {
            boolean warmUp = round < 0;
            for (Subject subject : subjects) {
                boolean service = subject == subjects.get(subjects.size() - 1);
                for (String asked : service ? schemes : List.of(subject.name())) {
                    String path = service ? path(asked) : "/";
                    try (Load load = new Load(subject.port(), connections, path, medium.getValue())) {
                        Load.Measured measured = load.run(warmUp ? warmUpNanos : roundNanos);
                        if (!warmUp) {
                            figures.computeIfAbsent(asked, name -> new ArrayList<>())
                                    .add(measured);
                        }
                    }
                }
            }
        }
        print(figures, medium.getKey(), connections);
    }

    private static void print(Map<String, List<Load.Measured>> figures, String medium, int connections) {
        Load.Measured of = median(figures.values().iterator().next());
        figures.forEach((name, all) -> {
            Load.Measured figure = median(all);
            double ratio = figure.perSecond() / of.perSecond();
            double p99Ratio = figure.p99Nanos() / of.p99Nanos();
            System.out.printf(
                    "%-34s %,10.0f %8.3f %8.3f %7.2f %9.2f   %s%n",
                    name + (HttpGoals.SCHEMES.contains(name) ? ", " + medium : "") + ", " + connections,
                    figure.perSecond(),
                    figure.p50Nanos() / 1e6,
                    figure.p99Nanos() / 1e6,
                    ratio,
                    p99Ratio,
                    HttpGoals.SCHEMES.contains(name) ? HttpGoals.judge(name, medium, figure, of) : "");
        });
    }

    private static Load.Measured median(List<Load.Measured> all) {
        return new Load.Measured(
                median(all, Load.Measured::perSecond),
                median(all, Load.Measured::p50Nanos),
                median(all, Load.Measured::p99Nanos));
    }

    private static double median(List<Load.Measured> all, ToDoubleFunction<Load.Measured> part) {
        double[] sorted = all.stream().mapToDouble(part).toArray();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
