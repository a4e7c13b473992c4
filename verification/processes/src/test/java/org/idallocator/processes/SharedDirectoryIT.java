package org.idallocator.processes;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ReplicaProcess;
import org.idallocator.zk.testing.ServiceJar;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several processes of one user, started in different working directories, on one directory of the embedded ZooKeeper.
 */
@SuppressWarnings("try") // clients draw until they are closed
class SharedDirectoryIT {
    /**
     * How long it may take until another process runs the ZooKeeper, and then how long until every scheme issues again.
     */
    private static final Duration GOES_ON = Duration.ofSeconds(20);

    /** Slots are kept for so long without a ZooKeeper that another command can go on with that on any machine. */
    private static final List<String> PATIENT = sessions(Duration.ofSeconds(60));

    private static final int COUNT = 4_000;
    private static final int FOR_A_MINUTE_AND_A_HALF = 100_000;
    private static final int EXIT_ON_SIGTERM = 143;
    private static final int EXIT_WHEN_LOST = 3;
    private static final int SERVED = 200;
    private static final int FENCED = 503;

    /** A session timeout of which two are soon over. */
    private static final Duration BRIEF = Duration.ofSeconds(4);

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

    private static List<String> sessions(Duration timeout) {
        return List.of(
                "-Ddw.allocator.zookeeper.sessionTimeout=" + timeout.toSeconds() + "s",
                "-Ddw.allocator.window=" + timeout.toSeconds() + "s");
    }

    private Path data() {
        return directory.resolve("data");
    }

    @AfterEach
    void endAll() throws InterruptedException {
        servers.forEach(ReplicaProcess::close);
        for (Process command : commands.values()) {
            command.destroyForcibly().waitFor(); // it may still write to the directory
        }
    }

    private ReplicaProcess server(String name) {
        return server(name, List.of());
    }

    private ReplicaProcess server(String name, List<String> options) {
        String settings = "zookeeper: {embedded: {enabled: true, dataDir: '" + data() + "'}}";
        ReplicaProcess server = ReplicaProcess.start(directory, name, settings, options);
        servers.add(server);
        return server;
    }

    /**
     * Starts {@code generate uid60} in a working directory of its own, on the built-in configuration; it prints to a
     * file there.
     */
    private Process generate(String name, int count, List<String> options) throws IOException {
        Path own = Files.createDirectory(directory.resolve(name));
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(options);
        command.addAll(ServiceJar.arguments("generate", "uid60", "-n", Integer.toString(count)));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(own.toFile())
                .redirectOutput(own.resolve("ids").toFile())
                .redirectError(own.resolve("error").toFile());
        builder.environment().put("ID_ALLOCATOR_DATA", data().toString());
        Process started = builder.start();
        commands.put(own, started);
        return started;
    }

    private void generateSome(int number, List<String> options) throws IOException {
        for (int i = 0; i < number; i++) {
            generate("directory-" + i, COUNT, options);
        }
    }

    /** Waits for the end of a command, and returns its status. */
    private static int ended(Process command) throws InterruptedException {
        assertTrue(command.waitFor(HangGuard.MINUTES, TimeUnit.MINUTES), "it hangs");
        return command.exitValue();
    }

    /** Waits for all commands, and counts what they have printed. */
    private void requireGenerated() throws Exception {
        for (Map.Entry<Path, Process> command : commands.entrySet()) {
            Path own = command.getKey();
            assertEquals(0, ended(command.getValue()), () -> own + " has ended: " + read(own.resolve("error")));
            uid60s.add(own.getFileName().toString(), read(own.resolve("ids")), COUNT);
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
        long pid = holderPid();
        return servers.stream().filter(server -> server.process().pid() == pid).findFirst();
    }

    /** The process that runs the ZooKeeper; 0 when nobody does this moment. */
    private long holderPid() throws IOException {
        try {
            return new ObjectMapper()
                    .readTree(Files.readString(data().resolve("server.json")))
                    .path("pid")
                    .asLong();
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    @Test
    @ProofOnly("processes of its own")
    void shouldIssueNoIdTwiceWhenTheCommandEndsThatRunsTheZooKeeper() throws Exception {
        Process first = generate("first", FOR_A_MINUTE_AND_A_HALF, PATIENT);
        Path own = directory.resolve("first");
        await("it runs the ZooKeeper")
                .failFast(() -> assertTrue(first.isAlive(), () -> read(own.resolve("error"))))
                .until(() -> holderPid() == first.pid());
        generateSome(3, PATIENT);
        for (Path each : commands.keySet()) {
            await(each + " has IDs").until(() -> Files.size(each.resolve("ids")) > 0);
        }
        first.destroy();
        assertEquals(EXIT_ON_SIGTERM, ended(first), () -> read(own.resolve("error")));
        commands.remove(own);
        String printed = read(own.resolve("ids"));
        String whole = printed.substring(0, printed.lastIndexOf('\n') + 1);
        uid60s.add("first", whole, (int) whole.lines().count());
        requireGenerated();
        uid60s.requireDistinct();
    }

    @Test
    @ProofOnly("half a minute of four processes")
    void shouldIssueNoIdTwiceWhileServersAndCommandsComeAndGo() throws Exception {
        List<ReplicaProcess> both = List.of(server("server-1"), server("server-2"));
        both.forEach(ReplicaProcess::awaitReady);
        ReplicaProcess first = holder().orElseThrow();
        ReplicaProcess second = both.get(both.get(0) == first ? 1 : 0);

        try (Clients ofSecond = drawing(second)) {
            try (Clients ofFirst = drawing(first)) {
                generateSome(3, List.of());
                awaitMore(HangGuard.TIME);
                first.process().kill();
            }
            await().atMost(GOES_ON).until(() -> holder().equals(Optional.of(second)));
            awaitMore(GOES_ON);
            requireGenerated();
            assertTrue(second.ready());

            ReplicaProcess third = server("server-3").awaitReady();
            assertEquals(200, third.status("/ids/sno"));
            assertEquals(Optional.of(second), holder());
        }
        evidence.forEach(Evidence::requireDistinct);
    }

    /** The service ends as soon as it has noticed, and the command begins with what it finds: nothing. */
    @Test
    @ProofOnly("processes of its own")
    void shouldIssueNoIdTwiceWhenTheDirectoryIsWipedUnderAService() throws Exception {
        ReplicaProcess wiped = server("server-1").awaitReady();
        try (Clients clients = drawing(wiped)) {
            awaitMore(HangGuard.TIME);
            wipe(data());
            generateSome(1, List.of());
            assertEquals(EXIT_WHEN_LOST, wiped.process().awaitEnd(HangGuard.TIME.toSeconds()));
        }
        requireGenerated();
        ReplicaProcess next = server("server-2").awaitReady();
        try (Clients clients = drawing(next)) {
            awaitMore(HangGuard.TIME);
        }
        evidence.forEach(Evidence::requireDistinct);
    }

    /** Deletes a directory as {@code rm -rf} does, whatever is written there meanwhile. */
    private static void wipe(Path directory) throws Exception {
        Process rm = new ProcessBuilder("rm", "-rf", directory.toString())
                .inheritIO()
                .start();
        assertEquals(0, rm.waitFor());
    }

    @Test
    @ProofOnly("waits for two session timeouts")
    void shouldIssueNoIdTwiceWhenTheProcessIsPausedThatRunsTheZooKeeper() throws Exception {
        List<String> brief = sessions(BRIEF);
        List<ReplicaProcess> both = List.of(server("server-1", brief), server("server-2", brief));
        both.forEach(ReplicaProcess::awaitReady);
        ReplicaProcess paused = holder().orElseThrow();
        ReplicaProcess other = both.get(both.get(0) == paused ? 1 : 0);

        try (Clients ofPaused = drawing(paused);
                Clients ofOther = drawing(other)) {
            awaitMore(HangGuard.TIME);
            paused.process().pause();
            long from = System.nanoTime();
            await().until(() -> other.status("/ids/sno") == FENCED);
            generateSome(1, brief);
            await().until(() -> System.nanoTime() - from > BRIEF.multipliedBy(2).toNanos());
            assertEquals(paused.process().pid(), holderPid());
            assertEquals(FENCED, other.status("/ids/sno"));

            paused.process().resume();
            awaitMore(HangGuard.TIME);
            await().until(() -> other.status("/ids/sno") == SERVED && paused.status("/ids/sno") == SERVED);
            requireGenerated();
            assertEquals(Optional.of(paused), holder());
        }
        evidence.forEach(Evidence::requireDistinct);
    }

    /** Clients that draw IDs of every scheme, ten at a time. */
    private Clients drawing(ReplicaProcess server) {
        Clients clients = Clients.of(server);
        evidence.forEach(scheme -> clients.start(scheme, 10));
        return clients;
    }

    /** Waits until more IDs of every scheme have come. */
    private void awaitMore(Duration patience) {
        List<Long> before = evidence.stream().map(each -> each.checker().seen()).toList();
        await().atMost(patience).until(() -> {
            List<Long> now =
                    evidence.stream().map(each -> each.checker().seen()).toList();
            return IntStream.range(0, now.size()).allMatch(i -> now.get(i) > before.get(i) + 1_000);
        });
    }
}
