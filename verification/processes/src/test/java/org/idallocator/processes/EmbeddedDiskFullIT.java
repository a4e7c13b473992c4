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
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
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
 * The disk under an embedded ZooKeeper is full for a while: the replica says why it answers nothing, and goes on by
 * itself when there is room again. The disk is a small file system in memory, which takes the right to mount one.
 */
@ProofOnly("waits until a server has failed to start several times")
class EmbeddedDiskFullIT {
    private static final String SIZE = "32m";
    private static final String REASONS = "deadline-passed|ceiling-passed|session-lost|unreachable";

    /** Long enough for two more starts to fail after the first. */
    private static final Duration FULL = Duration.ofSeconds(15);

    /** The longest wait between two attempts, a claim, and a busy machine. */
    private static final Duration SERVES_AGAIN = Duration.ofSeconds(30);

    /** What ZooKeeper says of itself whenever it is started on a log that ends in the middle. */
    private static final Pattern AT_EACH_START =
            Pattern.compile("(WARN|ERROR) .*(ServerCnxnFactory|persistence\\.Util): .*");

    /** Less what a busy machine takes between a reading of the clock and the line. */
    private static final Duration A_MINUTE = Duration.ofSeconds(50);

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss,SSS", Locale.ROOT);

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
            requireToldOnceAMinute(Files.readString(directory.resolve("replica.log")));
        }
    }

    /**
     * A line a minute that names the disk, and one when it served again; ZooKeeper itself says nothing of each start
     * that fails.
     */
    private void requireToldOnceAMinute(String log) {
        List<String> told = log.lines()
                .filter(line -> line.contains(": the embedded ZooKeeper "))
                .toList();
        assertTrue(told.size() >= 2, log);
        List<String> warnings = told.subList(0, told.size() - 1);
        String first = warnings.get(0);
        assertTrue(first.contains(": the embedded ZooKeeper has died: "), first);
        String warning = "WARN .* the embedded ZooKeeper (has died|cannot start): No space left on device; the disk of "
                + disk.resolve("data") + " has [0-9]{1,5} bytes free; it is started again by itself";
        warnings.forEach(line -> assertTrue(line.matches(warning), line));
        for (int i = 1; i < warnings.size(); i++) {
            Duration between = Duration.between(timeOf(warnings.get(i - 1)), timeOf(warnings.get(i)));
            assertTrue(between.compareTo(A_MINUTE) >= 0, log);
        }
        String last = told.get(told.size() - 1);
        assertTrue(last.matches("INFO .* the embedded ZooKeeper serves again, .*"), last);
        assertEquals(
                0,
                log.lines()
                        .filter(line -> AT_EACH_START.matcher(line).matches())
                        .count(),
                log);
    }

    /** The time in brackets with which a line of the log begins, after its level. */
    private static LocalDateTime timeOf(String line) {
        return LocalDateTime.parse(line.substring(line.indexOf('[') + 1, line.indexOf(']')), TIME);
    }
}
