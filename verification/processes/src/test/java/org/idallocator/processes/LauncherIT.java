package org.idallocator.processes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ChildProcess;
import org.idallocator.zk.testing.ServiceJar;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/id-allocator} and the jar, on the Java of this test. */
class LauncherIT {
    @TempDir
    private Path directory;

    @Test
    @ProofOnly("makes an archive")
    void shouldTakeClassesFromTheArchiveWhenThereIsOne() throws IOException {
        Files.copy(Path.of("..", "..", "bin", "id-allocator"), directory.resolve("id-allocator"));
        Files.copy(ServiceJar.PATH, directory.resolve("allocator-service.jar"));

        List<String> help = run("now", "", "--help");
        List<String> inspected = run("", "-Xlog:class+load", "inspect", "9q7qmwq2222dhi22");

        assertTrue(help.get(0).startsWith("usage: "), help::toString);
        assertTrue(
                inspected.stream().anyMatch(line -> line.startsWith("9q7qmwq2222dhi22  sno  ")), inspected::toString);
        List<String> own = inspected.stream()
                .filter(line -> line.contains(" org.idallocator.dropwizard.cli."))
                .toList();
        assertTrue(own.stream().anyMatch(line -> line.contains("InspectCommand ")), own::toString);
        assertTrue(own.stream().noneMatch(line -> line.contains(".jar")), own::toString);
    }

    private List<String> run(String archive, String options, String... arguments) throws IOException {
        Path output = Files.createTempFile(directory, "output", "");
        List<String> command =
                new ArrayList<>(List.of(directory.resolve("id-allocator").toString()));
        command.addAll(List.of(arguments));
        Map<String, String> environment = Map.of(
                "JAVA_HOME",
                System.getProperty("java.home"),
                "JAVA_OPTS",
                options,
                "ID_ALLOCATOR_ARCHIVE",
                archive,
                "HOME",
                directory.toString());
        try (ChildProcess process = ChildProcess.start(output, environment, command)) {
            assertEquals(0, process.awaitEnd(HangGuard.TIME.toSeconds()), process::tail);
        }
        return Files.readAllLines(output);
    }
}
