package org.idallocator.recipes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.testing.ChildProcess;
import org.idallocator.zk.testing.ReplicaProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The clients of docs/programs.md in other languages, by tests in these languages: against a service, and against a
 * server that refuses, fails and cuts answers off.
 */
class OtherLanguagesIT {
    private static final Path SHOWN = Path.of("target", "recipes").toAbsolutePath();
    private static final Path TESTS = Path.of("src", "test").toAbsolutePath();

    @TempDir
    private static Path directory;

    private static ReplicaProcess service;

    @BeforeAll
    static void start() {
        String settings = "zookeeper: {embedded: {enabled: true, dataDir: '%s'}}".formatted(directory.resolve("data"));
        service = ReplicaProcess.start(directory, "service", settings, Map.of()).awaitReady();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static void require(String program, String debianPackage) {
        boolean found = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
        assumeTrue(found, program + " is not installed (Debian: apt-get install " + debianPackage + ")");
    }

    /** Runs a command to its end, which must be in order; returns what it printed. */
    private static String run(Map<String, String> environment, String... command) throws IOException {
        Path output = Files.createTempFile(directory, command[0], ".log");
        try (ChildProcess process = ChildProcess.start(output, environment, List.of(command))) {
            assertEquals(0, process.awaitEnd(HangGuard.TIME.toSeconds()), process::tail);
        }
        return Files.readString(output);
    }

    private static String address() {
        return service.uri("").toString();
    }

    @Test
    void shouldDrawInPython() throws IOException {
        require("python3", "python3");
        String said = run(
                Map.of(
                        "SERVICE",
                        address(),
                        "PYTHONPATH",
                        SHOWN.resolve("python").toString(),
                        "PYTHONDONTWRITEBYTECODE",
                        "1",
                        "no_proxy",
                        "*"),
                "python3",
                TESTS.resolve("python/ids_test.py").toString());

        assertTrue(said.contains("Ran 7 tests") && said.contains("\nOK"), said);
    }

    @Test
    void shouldDrawInGo() throws IOException {
        require("go", "golang-go");
        Path code = Files.copy(SHOWN.resolve("go/ids.go"), directory.resolve("ids.go"));
        Path tests = Files.copy(
                TESTS.resolve("go/ids_test.go"), directory.resolve("ids_test.go")); // Go wants them side by side
        assertEquals("", run(Map.of(), "gofmt", "-d", code.toString()));
        String said = run(
                Map.of(
                        "SERVICE", address(),
                        "CGO_ENABLED", "0", // no C compiler is needed
                        "GO111MODULE", "off",
                        "GOCACHE", Path.of("target", "go").toAbsolutePath().toString(),
                        "GOPATH", directory.resolve("gopath").toString()),
                "go",
                "test",
                "-count=1",
                "-v",
                code.toString(),
                tests.toString());

        assertEquals(
                6, said.lines().filter(line -> line.startsWith("--- PASS: ")).count(), said);
    }
}
