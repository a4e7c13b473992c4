package org.idallocator.processes;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ReplicaProcess;
import org.idallocator.zk.testing.ServiceJar;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several processes of one user, started in different working directories, on one directory of the embedded ZooKeeper. */
class SharedDirectoryIT {
    /** How long it may take until another process runs the ZooKeeper, and then how long until every scheme issues again. */
    private static final Duration GOES_ON = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    private final Evidence<?> uid60s = Evidence.of(new Uid60Scheme(Duration.ofHours(1)));
    private final List<Evidence<?>> evidence = List.of(
            Evidence.of(new SnoScheme(0, 256, 4)),
            Evidence.of(new MuidScheme()),
            Evidence.of(new EightByteScheme(0)),
            uid60s);
    private final List<ReplicaProcess> servers = new ArrayList<>();
    private final Map<Path, Process> commands = new LinkedHashMap<>();

    private Path data() {
        return directory.resolve("data");
    }

    @AfterEach
    void endAll() {
        servers.forEach(ReplicaProcess::close);
        commands.values().forEach(Process::destroyForcibly);
    }

    private ReplicaProcess server(String name) {
        String settings = "zookeeper: {embedded: {enabled: true, dataDir: '" + data() + "'}}";
        ReplicaProcess server = ReplicaProcess.start(directory, name, settings, Map.of());
        servers.add(server);
        return server;
    }

    /** Starts {@code generate uid60} in a working directory of its own, on the built-in configuration. */
    private void generate(String name, int count) throws IOException {
        Path own = Files.createDirectory(directory.resolve(name));
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        ServiceJar.PATH.toString(),
                        "generate",
                        "uid60",
                        "-n",
                        Integer.toString(count))
                .directory(own.toFile())
                .redirectOutput(own.resolve("ids").toFile())
                .redirectError(own.resolve("error").toFile());
        builder.environment().put("ID_ALLOCATOR_DATA", data().toString());
        commands.put(own, builder.start());
    }

    /** Waits for all commands, and counts what they have printed. */
    private void requireGenerated(int count) throws Exception {
        for (Map.Entry<Path, Process> command : commands.entrySet()) {
            Path own = command.getKey();
            assertTrue(command.getValue().waitFor(ReplicaProcess.HANG_GUARD.toSeconds(), TimeUnit.SECONDS), "it hangs");
            assertEquals(0, command.getValue().exitValue(), () -> own + " has ended: " + read(own.resolve("error")));
            uid60s.add(own.getFileName().toString(), read(own.resolve("ids")), count);
            try (Stream<Path> left = Files.list(own)) {
                assertEquals(2, left.count(), "nothing is made in the working directory");
            }
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** The server that runs the ZooKeeper; empty when a command does, or nobody does this moment. */
    private Optional<ReplicaProcess> holder() throws IOException {
        Path address = data().resolve("server.json");
        if (!Files.exists(address)) {
            return Optional.empty();
        }
        long pid = new ObjectMapper().readTree(address.toFile()).path("pid").asLong();
        return servers.stream().filter(server -> server.process().pid() == pid).findFirst();
    }

    @Test
    void shouldIssueNoIdTwiceFromCommandsAlone() throws Exception {
        for (int i = 0; i < 4; i++) {
            generate("directory-" + i, 4_000);
        }
        requireGenerated(4_000);
        uid60s.requireDistinct();
    }

    @Test
    @ProofOnly(
            "half a minute of four processes; SharedDirectoryTest goes on with the ZooKeeper of another one in every build")
    void shouldIssueNoIdTwiceWhileServersAndCommandsComeAndGo() throws Exception {
        List<ReplicaProcess> both = List.of(server("server-1"), server("server-2"));
        both.forEach(ReplicaProcess::awaitReady);
        ReplicaProcess first = holder().orElseThrow();
        ReplicaProcess second = both.get(0) == first ? both.get(1) : both.get(0);

        try (Clients ofSecond = new Clients(failed -> Optional.of(second))) {
            try (Clients ofFirst = new Clients(failed -> Optional.of(first))) {
                evidence.forEach(scheme -> ofFirst.start(scheme, 10));
                evidence.forEach(scheme -> ofSecond.start(scheme, 10));
                for (int i = 0; i < 3; i++) {
                    generate("directory-" + i, 4_000);
                }
                awaitMore(ReplicaProcess.HANG_GUARD);
                first.process().kill();
            }
            long from = System.nanoTime();
            await().atMost(GOES_ON).until(() -> holder().equals(Optional.of(second)));
            awaitMore(GOES_ON);
            System.out.println("went on " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - from)
                    + " ms after the process was killed that ran the ZooKeeper; failed meanwhile: "
                    + ofSecond.failuresOf(second));
            requireGenerated(4_000);
            assertTrue(second.ready());

            ReplicaProcess third = server("server-3").awaitReady();
            assertEquals(200, third.status("/ids/sno"));
            assertEquals(Optional.of(second), holder());
        }
        evidence.forEach(Evidence::requireDistinct);
    }

    /** Waits until more IDs of every scheme have come. */
    private void awaitMore(Duration patience) {
        List<Long> before = evidence.stream().map(each -> each.checker().seen()).toList();
        await().atMost(patience).until(() -> {
            for (int i = 0; i < before.size(); i++) {
                if (evidence.get(i).checker().seen() <= before.get(i) + 1_000) {
                    return false;
                }
            }
            return true;
        });
    }
}
