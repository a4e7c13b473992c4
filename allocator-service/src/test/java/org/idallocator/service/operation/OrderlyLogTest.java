package org.idallocator.service.operation;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.embedded.OwnZooKeeper;
import org.idallocator.service.AllocatorApplication;
import org.idallocator.service.testing.ConfigFile;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a replica logs with a file of an operator's own that names no logger. */
@ProofOnly("a service of its own, which is stopped")
class OrderlyLogTest {
    private static final Predicate<String> TROUBLE =
            Pattern.compile("^(WARN|ERROR) .*").asMatchPredicate();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Path log() {
        return directory.resolve("service.log");
    }

    private RunningService started() throws IOException {
        Path file = ConfigFile.in(directory, "service.yml", "admin: {token: " + RunningService.TOKEN + "},");
        Files.writeString(file, """

                        health: {delayedShutdownHandlerEnabled: true, shutdownWaitPeriod: 500ms}
                        server: {applicationConnectors: [{type: http, port: 0}], adminConnectors: [{type: http, port: 0}],
                            requestLog: {appenders: []}}
                        logging: {appenders: [{type: file, archive: false, currentLogFilename: '%s'}]}
                        """.formatted(log()), StandardOpenOption.APPEND);
        return RunningService.start(AllocatorApplication.class, file);
    }

    private static void done(RunningService service, String task) {
        assertEquals(200, service.admin().send("POST", "/tasks/" + task, "*/*").statusCode());
    }

    @Test
    void shouldWarnOfNothingAndTellWhenItIsReady() throws IOException {
        try (RunningService service = started().awaitReady()) {
            done(service, "drain");
            await().until(() -> service.app().status("/health-check") == 503);
            done(service, "resume");
            service.awaitReady();
        }
        List<String> lines = Files.readAllLines(log());

        assertEquals(List.of(), lines.stream().filter(TROUBLE).toList());
        List<String> readiness = lines.stream()
                .filter(line -> line.contains("health.Readiness: "))
                .map(line -> line.replaceFirst(".*Readiness: ", ""))
                .toList();
        String about = "not ready: this replica is about to be drained by its operator, and serves until then";
        assertEquals(List.of("ready", about, "ready"), readiness.subList(0, 3), readiness::toString);
        assertTrue(lines.stream().anyMatch(line -> line.contains("lease released ")), "it was stopped in order");
    }

    /** Whoever looks after a service reads its log, and may never see its standard error. */
    @Test
    void shouldWarnThatIdsMayComeTwiceWhenItsDirectoryIsACopy() throws IOException {
        Path original = directory.resolve("original");
        OwnZooKeeper.start(original).close();
        copy(original, directory.resolve("data"));
        started().close();
        List<String> warnings =
                Files.readAllLines(log()).stream().filter(TROUBLE).toList();

        assertEquals(1, warnings.size(), warnings::toString);
        assertTrue(warnings.get(0).contains("data is a copy or a backup, because"), warnings::toString);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }
}
