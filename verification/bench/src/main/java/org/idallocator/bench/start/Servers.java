package org.idallocator.bench.start;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.idallocator.bench.process.Child;
import org.idallocator.bench.process.Http;
import org.idallocator.bench.process.Programs;
import org.idallocator.bench.process.Scratch;

/** Starts the service and the empty application, each with nothing left of an earlier start but the archives. */
final class Servers {
    private static final String ID = "/ids/sno";
    private static final String WORD = "/word";
    private static final double NANOS = 1e6;

    private final Scratch scratch;
    private final Path archive;

    Servers(Scratch scratch) {
        this.scratch = scratch;
        this.archive = scratch.path("empty.jsa");
    }

    /** Makes what both need: the launcher makes that of the service; the empty application learns from one start and one request. */
    void makeArchives() {
        Child.run(
                scratch,
                List.of(
                        "env",
                        "ID_ALLOCATOR_ARCHIVE=now",
                        "JAVA=" + Programs.jdk("java"),
                        Programs.LAUNCHER.toString(),
                        "--help"));
        emptyBy(List.of("-XX:TieredStopAtLevel=1", "-XX:ArchiveClassesAtExit=" + archive));
    }

    double service() {
        int port = Http.freePort();
        return millis(port, ID, environment(port), Programs.java("-jar", Programs.SERVICE.toString(), "server"));
    }

    double serviceByLauncher() {
        int port = Http.freePort();
        Map<String, String> environment = environment(port);
        environment.put("JAVA", Programs.jdk("java"));
        environment.put("JAVA_OPTS", String.join(" ", Programs.onLoopback()));
        return millis(port, ID, environment, List.of(Programs.LAUNCHER.toString(), "server"));
    }

    double empty() {
        return emptyBy(List.of());
    }

    double emptyWithArchive() {
        return emptyBy(List.of("-Xshare:auto", "-XX:SharedArchiveFile=" + archive));
    }

    private double emptyBy(List<String> options) {
        int port = Http.freePort();
        Path configuration = scratch.file(
                "empty.yml",
                List.of(
                        "server:",
                        "  applicationConnectors: [{type: http, port: " + port + "}]",
                        "  adminConnectors: [{type: http, port: 0}]",
                        "  requestLog: {appenders: []}"));
        List<String> arguments = new ArrayList<>(options);
        arguments.addAll(List.of("-jar", Programs.EMPTY.toString(), "server", configuration.toString()));
        return millis(port, WORD, Map.of(), Programs.java(arguments.toArray(String[]::new)));
    }

    private Map<String, String> environment(int port) {
        return new TreeMap<>(Programs.environment(port, scratch.path("data")));
    }

    private double millis(int port, String path, Map<String, String> environment, List<String> command) {
        long fromNanos = System.nanoTime();
        try (Child process = Child.start(scratch.path("output"), environment, command)) {
            Http.awaitAnswer(port, path, process);
            return (System.nanoTime() - fromNanos) / NANOS;
        }
    }
}
