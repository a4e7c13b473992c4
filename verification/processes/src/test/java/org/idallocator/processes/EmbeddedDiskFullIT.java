package org.idallocator.processes;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ReplicaProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk under an embedded ZooKeeper is full for a while: the replica says why it answers nothing, and goes on by itself when
 * there is room again. The disk is a small file system in memory, which takes the right to mount one.
 */
@ProofOnly("waits until a server has failed to start several times")
class EmbeddedDiskFullIT {
    private static final String SIZE = "32m";
    private static final String REASONS = "deadline-passed|ceiling-passed|session-lost|unreachable";

    /** Long enough for two more starts to fail after the first. */
    private static final Duration FULL = Duration.ofSeconds(15);

    /** The longest wait between two attempts, a claim, and a busy machine. */
    private static final Duration SERVES_AGAIN = Duration.ofSeconds(30);

    private static final String SETTINGS = """
            zookeeper:
              sessionTimeout: 4s
              embedded: {enabled: true, dataDir: '%s'}
            window: 4s
            """;

    @TempDir
    private Path directory;

    private Path disk;
    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        disk = Files.createDirectory(directory.resolve("disk"));
        String error = run("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "tmpfs", disk.toString());
        mounted = error.isEmpty();
        assumeTrue(mounted, "no file system can be mounted here: " + error);
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            assertEquals("", run("umount", "--lazy", disk.toString()));
        }
    }

    /** The error of a command; empty when it had none. */
    private static String run(String... command) throws IOException, InterruptedException {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? "" : command[0] + ": " + said;
        } catch (IOException e) {
            return String.valueOf(e.getMessage()); // no such command
        }
    }

    @Test
    void shouldServeAgainByItselfWhenTheDiskHasRoomAgain() throws Exception {
        List<Evidence<?>> evidence = List.of(
                Evidence.of(new SnoScheme(0, 256, 4)),
                Evidence.of(new MuidScheme()),
                Evidence.of(new EightByteScheme(0)));
        Path filler = disk.resolve("filler");
        String settings = SETTINGS.formatted(disk.resolve("data"));
        try (ReplicaProcess replica = ReplicaProcess.start(directory, "replica", settings, Map.of())) {
            replica.awaitReady();
            try (Clients clients = Clients.of(replica)) {
                evidence.forEach(scheme -> clients.start(scheme, 100));
                await().until(() ->
                        evidence.stream().allMatch(scheme -> scheme.checker().seen() > 0));
                assertTrue(run("dd", "if=/dev/zero", "of=" + filler, "bs=4096").contains("No space left"));
                await().until(() -> Stream.of("sno", "muid", "eightbyte")
                        .allMatch(scheme -> replica.status("/ids/" + scheme) == 503));
                String problem = replica.answer("/ids/sno");
                assertTrue(problem.matches("(?s).*\"reason\":\"(" + REASONS + ")\".*"), problem);
                await().during(FULL).atMost(FULL.multipliedBy(2)).until(() -> replica.status("/ids/sno") == 503);
                assertEquals(200, replica.status("/health-check?type=alive"));

                Files.delete(filler);
                await().atMost(SERVES_AGAIN).until(replica::ready);
                long seen = evidence.get(0).checker().seen();
                await().until(() -> evidence.get(0).checker().seen() > seen);
            }
            evidence.forEach(Evidence::requireDistinct);
            requireToldOnce(Files.readString(directory.resolve("replica.log")));
        }
    }

    /** One line when it died, one for each further cause for which it could not start, and one when it served again. */
    private static void requireToldOnce(String log) {
        List<String> lines = log.lines().toList();
        List<String> told = lines.stream()
                .filter(line -> line.contains("the embedded ZooKeeper "))
                .toList();
        assertTrue(told.get(0).startsWith("WARN") && told.get(0).contains("has died"), log);
        String last = told.get(told.size() - 1);
        assertTrue(last.startsWith("INFO") && last.contains("serves again"), log);
        assertTrue(
                told.subList(1, told.size() - 1).stream()
                        .allMatch(line -> line.startsWith("WARN") && line.contains("cannot start")),
                log);
        List<String> causes = IntStream.range(0, lines.size() - 1)
                .filter(i -> told.contains(lines.get(i)) && !lines.get(i).equals(last))
                .mapToObj(i -> lines.get(i + 1).replaceFirst("^! ([^:]+).*", "$1"))
                .toList();
        assertEquals(causes.stream().distinct().toList(), causes, log);
    }
}
