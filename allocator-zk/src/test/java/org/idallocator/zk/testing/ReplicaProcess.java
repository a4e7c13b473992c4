package org.idallocator.zk.testing;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One replica: {@code java -jar allocator-service.jar server config.yml}, as operators run it, with a configuration of its own.
 * Its jar is looked for from a module below {@code verification} that has it built before.
 */
public final class ReplicaProcess implements AutoCloseable {
    /** What a call shows to change anything on the admin port. */
    public static final String ADMIN_TOKEN = "the-token-of-all-replicas";

    public static final Duration HANG_GUARD = Duration.ofMinutes(2);

    private static final Path JAR = Path.of("..", "..", "allocator-service", "target", "allocator-service.jar");
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(1);
    private static final HttpClient PROBES = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PROBE_TIMEOUT)
            .build();

    private final String name;
    private final List<Integer> ports;
    private final ChildProcess process;

    private ReplicaProcess(String name, List<Integer> ports, ChildProcess process) {
        this.name = name;
        this.ports = ports;
        this.process = process;
    }

    /**
     * Starts a replica, with a JVM that starts fast on few cores; the replica is not ready yet.
     *
     * @param directory for its configuration and what it prints
     * @param settings below {@code allocator:}, as YAML
     */
    public static ReplicaProcess start(Path directory, String name, String settings, Map<String, String> environment) {
        return start(directory, name, settings, environment, List.of("-Xmx256m"));
    }

    /** The same without an environment, and with options for the JVM. */
    public static ReplicaProcess start(Path directory, String name, String settings, List<String> options) {
        return start(directory, name, settings, Map.of(), options);
    }

    private static ReplicaProcess start(
            Path directory, String name, String settings, Map<String, String> environment, List<String> options) {
        List<Integer> ports = Ports.free(2);
        Path config = directory.resolve(name + ".yml");
        try {
            Files.writeString(config, configuration(name, settings, ports));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> arguments = new ArrayList<>(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        arguments.addAll(options);
        arguments.addAll(List.of("-jar", JAR.toString(), "server", config.toString()));
        return new ReplicaProcess(
                name, ports, ChildProcess.java(directory.resolve(name + ".log"), environment, arguments));
    }

    /** The configuration; the replica drains as config/cluster.yml says. */
    private static String configuration(String name, String settings, List<Integer> ports) {
        return """
                allocator:
                  instance: %s
                  admin: {token: %s}
                %s
                health:
                  delayedShutdownHandlerEnabled: true
                  shutdownWaitPeriod: 3s
                server:
                  applicationConnectors: [{type: http, port: %d}]
                  adminConnectors: [{type: http, port: %d}]
                  requestLog: {appenders: []}
                logging:
                  loggers:
                    org.apache.zookeeper: WARN
                    org.apache.curator: WARN
                """.formatted(name, ADMIN_TOKEN, settings.indent(2).stripTrailing(), ports.get(0), ports.get(1));
    }

    public String name() {
        return name;
    }

    public ChildProcess process() {
        return process;
    }

    /** An address on the application port. */
    public URI uri(String pathAndQuery) {
        return at(ports.get(0), pathAndQuery);
    }

    /** An address on the admin port. */
    public URI adminUri(String pathAndQuery) {
        return at(ports.get(1), pathAndQuery);
    }

    private static URI at(int port, String pathAndQuery) {
        return URI.create("http://127.0.0.1:" + port + pathAndQuery);
    }

    /** Whether the replica is ready, as a load balancer asks. */
    public boolean ready() {
        return status("/health-check?name=all") == 200;
    }

    /** The status of a request; 0 without an answer. */
    public int status(String pathAndQuery) {
        HttpRequest probe =
                HttpRequest.newBuilder(uri(pathAndQuery)).timeout(PROBE_TIMEOUT).build();
        try {
            return PROBES.send(probe, BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    /** The body of the answer to a request. */
    public String answer(String pathAndQuery) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(uri(pathAndQuery)).timeout(PROBE_TIMEOUT).build();
        return PROBES.send(request, BodyHandlers.ofString()).body();
    }

    public ReplicaProcess awaitReady() {
        await(name + " is ready")
                .atMost(HANG_GUARD)
                .failFast(this::requireAlive)
                .until(this::ready);
        return this;
    }

    private void requireAlive() {
        if (!process.alive()) {
            throw new AssertionError(name + " has ended:\n" + process.tail());
        }
    }

    @Override
    public void close() {
        process.close();
    }

    @Override
    public String toString() {
        return name;
    }
}
