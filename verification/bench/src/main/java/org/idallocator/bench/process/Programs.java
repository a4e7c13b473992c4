package org.idallocator.bench.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.idallocator.bench.Arguments;
import org.idallocator.bench.UsageException;

/** What the build has made and benchmarks start, from the root of the tree: here is the only place that says how. */
public final class Programs {
    public static final Path SERVICE = Path.of("allocator-service", "target", "allocator-service.jar");
    public static final Path EMPTY = Path.of("verification", "empty", "target", "empty.jar");
    public static final Path LAUNCHER = Path.of("bin", "id-allocator");

    private static final String LOOPBACK = "127.0.0.1";

    private Programs() {}

    /** A tool of the JDK that runs this. */
    public static String jdk(String tool) {
        return Path.of(System.getProperty("java.home"), "bin", tool).toString();
    }

    /** Throws {@link UsageException} where one of these is missing. */
    public static void require(Path... built) {
        for (Path each : built) {
            if (!Files.exists(each)) {
                throw new UsageException(each + " is not there; run this at the root of the tree, after"
                        + " mvn -B -q -Pbench package -DskipTests");
            }
        }
    }

    /** The service's jar: that of the option {@code --jar}, or the one that the build makes. */
    public static Path jar(Arguments arguments) {
        Path jar = Path.of(arguments.text("jar", SERVICE.toString()));
        require(jar);
        return jar;
    }

    /**
     * The service, as operators run it, with an embedded ZooKeeper on data of its own; {@code options} are those of the
     * JVM.
     */
    public static Program service(Path jar, Scratch scratch, String... options) {
        int port = Http.freePort();
        return new Program(port, "/health-check?name=all", environment(port, scratch), java(options, jar, "server"));
    }

    /** The service by its launcher, whose archive must have been made. */
    public static Program launched(Scratch scratch) {
        int port = Http.freePort();
        Map<String, String> environment = new TreeMap<>(environment(port, scratch));
        environment.put("JAVA", jdk("java"));
        environment.put("JAVA_OPTS", String.join(" ", onLoopback()));
        return new Program(port, "/health-check?name=all", environment, List.of(LAUNCHER.toString(), "server"));
    }

    /** An empty Dropwizard application with a ZooKeeper on data of its own; {@code options} are those of the JVM. */
    public static Program empty(Scratch scratch, String... options) {
        int port = Http.freePort();
        Path configuration = scratch.file(
                "empty.yml",
                List.of(
                        "server:",
                        "  applicationConnectors: [{type: http, port: " + port + "}]",
                        "  adminConnectors: [{type: http, port: 0}]",
                        "  requestLog: {appenders: []}",
                        "health: {healthChecks: [{name: written, critical: true}]}",
                        "logging: {loggers: {org.apache: WARN}}"));
        return new Program(
                port, "/word", environment(port, scratch), java(options, EMPTY, "server", configuration.toString()));
    }

    /** {@link ReadyBytes} on this thread of theirs. */
    public static Program readyBytes(String thread) {
        int port = Http.freePort();
        List<String> command = List.of(
                jdk("java"),
                "-cp",
                System.getProperty("java.class.path"),
                ReadyBytes.class.getName(),
                thread,
                Integer.toString(port));
        return new Program(port, "/1", Map.of(), command);
    }

    /** The environment of a service that listens on this port, with data of its own. */
    public static Map<String, String> environment(int port, Scratch scratch) {
        return Map.of(
                "PORT",
                Integer.toString(port),
                "ADMIN_PORT",
                "0",
                "ID_ALLOCATOR_DATA",
                scratch.data().toAbsolutePath().toString());
    }

    private static List<String> java(String[] options, Path jar, String... arguments) {
        List<String> command = new ArrayList<>(List.of(jdk("java")));
        command.addAll(onLoopback());
        command.addAll(List.of(options));
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Options by which a Dropwizard program listens on the loopback interface only. */
    private static List<String> onLoopback() {
        return List.of(
                "-Ddw.server.applicationConnectors[0].bindHost=" + LOOPBACK,
                "-Ddw.server.adminConnectors[0].bindHost=" + LOOPBACK);
    }
}
