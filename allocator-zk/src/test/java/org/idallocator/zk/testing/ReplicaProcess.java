package org.idallocator.zk.testing;

import static org.idallocator.core.testing.HangGuard.await;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.idallocator.core.testing.HangGuard;

/** One replica: {@code java -jar allocator-service.jar server config.yml}, with a configuration of its own. */
public final class ReplicaProcess implements AutoCloseable {
    /** What a call shows to change anything on the admin port. */
    public static final String ADMIN_TOKEN = "the-token-of-all-replicas";

    /** Looked for from a module below {@code verification}. */
    private static final Path CLUSTER =
            Path.of("..", "..", "config", "cluster.yml").toAbsolutePath();

    private final String name;
    private final List<Integer> ports;
    private final Supplier<ChildProcess> starting;
    private volatile ChildProcess process;

    private ReplicaProcess(String name, List<Integer> ports, Supplier<ChildProcess> starting) {
        this.name = name;
        this.ports = ports;
        this.starting = starting;
        this.process = starting.get();
    }

    /**
     * Starts a replica, which is not ready yet.
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

    /**
     * Starts a replica with {@code config/cluster.yml} as it is shipped.
     *
     * @param overrides what is otherwise below {@code allocator}, by its path: {@code schemes.sno.shards}
     */
    public static ReplicaProcess shipped(Path directory, String name, String connect, Map<String, String> overrides) {
        List<Integer> ports = Ports.free(2);
        Map<String, String> environment = Map.of(
                "ZOOKEEPER_CONNECT", connect,
                "INSTANCE", name,
                "PORT", ports.get(0).toString(),
                "ADMIN_PORT", ports.get(1).toString(),
                "ADMIN_TOKEN", ADMIN_TOKEN);
        List<String> arguments = Stream.of(
                        Stream.of("-Xmx256m"),
                        overrides.entrySet().stream()
                                .map(override -> "-Ddw.allocator." + override.getKey() + "=" + override.getValue()),
                        ServiceJar.arguments("server", CLUSTER.toString()).stream())
                .flatMap(each -> each)
                .toList();
        return new ReplicaProcess(
                name, ports, () -> ChildProcess.java(directory.resolve(name + ".log"), environment, arguments));
    }

    private static ReplicaProcess start(
            Path directory, String name, String settings, Map<String, String> environment, List<String> options) {
        List<Integer> ports = Ports.free(2);
        Path config = ServiceJar.configuration(directory, name, settings, ports.get(0), ports.get(1));
        List<String> arguments = Stream.concat(
                        options.stream(), ServiceJar.arguments("server", config.toString()).stream())
                .toList();
        return new ReplicaProcess(
                name, ports, () -> ChildProcess.java(directory.resolve(name + ".log"), environment, arguments));
    }

    public String name() {
        return name;
    }

    public ChildProcess process() {
        return process;
    }

    /** Kills the process, and starts another one with the same configuration on the same ports; it is not ready yet. */
    public void restart() {
        process.close();
        process = starting.get();
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
        return Probe.get(uri(pathAndQuery)).map(HttpResponse::statusCode).orElse(0);
    }

    /** The body of the answer to a request, however long that takes. */
    public String answer(String pathAndQuery) {
        return Probe.get(uri(pathAndQuery), HangGuard.TIME).orElseThrow().body();
    }

    public ReplicaProcess awaitReady() {
        await(name + " is ready").failFast(this::requireAlive).until(this::ready);
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
