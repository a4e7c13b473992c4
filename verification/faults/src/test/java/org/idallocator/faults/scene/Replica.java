package org.idallocator.faults.scene;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.faults.load.Phases;
import org.idallocator.faults.load.Target;
import org.idallocator.zk.testing.ChildProcess;
import org.idallocator.zk.testing.Probe;
import org.jspecify.annotations.Nullable;

/** One replica, which may be killed and started again: the same name, the same ports, another process. */
public final class Replica implements AutoCloseable {
    private final Kind kind;
    private Kind.Settings settings;
    private final Path directory;
    private final Target target;
    private final Optional<Network> network;
    private final Optional<FakeClock> clock;
    private @Nullable ChildProcess process;

    Replica(
            Kind kind,
            Kind.Settings settings,
            Path directory,
            Target target,
            Optional<Network> network,
            Optional<FakeClock> clock) {
        this.kind = kind;
        this.settings = settings;
        this.directory = directory;
        this.target = target;
        this.network = network;
        this.clock = clock;
    }

    public String name() {
        return settings.name();
    }

    public Target target() {
        return target;
    }

    /** Requests to it for one ID of a scheme. */
    Phases phases(String scheme) {
        return target.track().phases(scheme);
    }

    /** Its lines, where the stage has them. */
    public Network network() {
        return network.orElseThrow();
    }

    /** Its clock, where the stage has one. */
    public FakeClock clock() {
        return clock.orElseThrow();
    }

    /** Its next process cuts snos as this stage does. */
    public void configure(Stage stage) {
        settings = settings.on(stage);
    }

    /** Starts its process; returns when that was, on the monotonic clock. */
    public long start() {
        List<String> arguments =
                new ArrayList<>(List.of("-Xmx" + (settings.stage().crowded() ? 48 : 256) + "m"));
        arguments.addAll(kind.arguments(directory, settings));
        long now = System.nanoTime();
        process = ChildProcess.java(
                directory.resolve(name() + ".log"),
                clock.map(FakeClock::environment).orElse(Map.of()),
                arguments);
        return now;
    }

    /** The process that was started last. */
    public ChildProcess process() {
        ChildProcess started = process;
        if (started == null) {
            throw new IllegalStateException(name() + " was never started");
        }
        return started;
    }

    /** Whether it answers anything at all. */
    public boolean listens() {
        return Probe.get(target.uri().resolve("/health-check")).isPresent();
    }

    /** What it says of all its schemes: {@code GET /ids}; empty without an answer. */
    public String states() {
        return Probe.get(target.uri().resolve("/ids")).map(HttpResponse::body).orElse("");
    }

    /** Whether its log has a line with all of these. */
    public boolean logged(String... parts) {
        return assertDoesNotThrow(() -> Files.readAllLines(directory.resolve(name() + ".log"))).stream()
                .anyMatch(line -> Stream.of(parts).allMatch(line::contains));
    }

    void requireAlive() {
        if (!process().alive()) {
            throw new AssertionError(name() + " has ended:\n" + process().tail());
        }
    }

    @Override
    public void close() {
        ChildProcess started = process;
        if (started != null) {
            started.close();
        }
        network.ifPresent(Network::close);
    }

    @Override
    public String toString() {
        return name();
    }
}
