package org.idallocator.zk;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The protocol as two models, checked state by state: one of sessions, clocks, pauses and forced deletions, one of messages
 * that come late, twice or never. Each must hold, and must break when a guard is taken away: a model that cannot break says
 * nothing.
 *
 * <p>The constants are small enough for every build. With {@code MaxT = 2} and {@code MaxVer = 4} the first has 3.9 million
 * states and takes minutes: run it with {@code -Dmodel.large=true}.
 */
class ModelTest {
    private static final String HOLDS = "No error has been found";
    private static final String BREAKS = "Invariant Unique is violated";

    @TempDir
    private Path directory;

    @Test
    void shouldKeepIdsApartWhenSessionsAndClocksDoWhatTheyLike() {
        int ticks = Boolean.getBoolean("model.large") ? 2 : 1;

        requireResult(HOLDS, "SlotLease", slotLease(ticks, "TRUE"));
    }

    @Test
    void shouldFindEqualIdsWhenWritesIgnoreTheVersion() {
        requireResult(BREAKS, "SlotLease", slotLease(1, "FALSE"));
    }

    private static String slotLease(int ticks, String versionGuard) {
        return "MaxT = %d W = 1 MaxVer = 4 Fix = %s".formatted(ticks, versionGuard);
    }

    @Test
    void shouldKeepIdsApartWhenMessagesAreLateOrLost() {
        requireResult(HOLDS, "SlotLeaseMessages", messages(2, "TRUE", "TRUE", "TRUE", "TRUE"));
    }

    @ParameterizedTest(name = "version condition {0}, read-back {1}, floor above ceiling {2}, tick below ceiling {3}")
    @CsvSource({"FALSE,TRUE,TRUE,TRUE", "TRUE,FALSE,TRUE,TRUE", "TRUE,TRUE,FALSE,TRUE", "TRUE,TRUE,TRUE,FALSE"})
    void shouldFindEqualIdsWhenAGuardIsMissing(String version, String readBack, String floor, String ceiling) {
        requireResult(BREAKS, "SlotLeaseMessages", messages(3, version, readBack, floor, ceiling));
    }

    private static String messages(int ticks, String version, String readBack, String floor, String ceiling) {
        return "MaxT = %d W = 1 MaxVer = 3 CheckVersion = %s ReadBack = %s FloorAbove = %s CheckCeiling = %s"
                .formatted(ticks, version, readBack, floor, ceiling);
    }

    private void requireResult(String expected, String model, String constants) {
        String output = check(model, constants);

        assertTrue(output.contains(expected), output);
    }

    /** What TLC says; it ends its own process, so that it gets one. */
    private String check(String model, String constants) {
        try {
            copy(model + ".tla");
            Files.writeString(directory.resolve(model + ".cfg"), """
                    SPECIFICATION Spec
                    CONSTANTS Nodes = {a, b} None = None %s
                    INVARIANT Unique
                    CHECK_DEADLOCK FALSE
                    """.formatted(constants));
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseParallelGC",
                            "-Xmx1g",
                            "-Djava.io.tmpdir=" + directory,
                            "-cp",
                            System.getProperty("java.class.path"),
                            "tlc2.TLC",
                            "-workers",
                            "auto",
                            model + ".tla")
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError("TLC does not run", e);
        }
    }

    private void copy(String file) throws IOException {
        try (InputStream model = Objects.requireNonNull(getClass().getResourceAsStream("/model/" + file))) {
            Files.write(directory.resolve(file), model.readAllBytes());
        }
    }
}
