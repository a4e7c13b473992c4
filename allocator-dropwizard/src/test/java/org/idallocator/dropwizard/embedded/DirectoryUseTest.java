package org.idallocator.dropwizard.embedded;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.dropwizard.jackson.Jackson;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One user of a directory; {@code SharedDirectoryTest} has several. */
class DirectoryUseTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path data;

    @Test
    void shouldLeaveNoConfigurationFilesBehind() throws IOException {
        OwnZooKeeper.start(data).close();

        try (Stream<Path> files = Files.list(data)) {
            assertEquals(
                    List.of("lock", "zookeeper"),
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
    }

    /** Whoever runs on data that were removed issues IDs until it notices, with times of that second, too. */
    @ParameterizedTest
    @CsvSource({"10.2, 10.2, 12", "10.999, 11.5, 12", "10.2, 12.1, 12.1", "99, 10.8, 12"})
    void shouldWaitUntilOthersHaveNoticedAndTheirSecondIsOver(BigDecimal removed, BigDecimal now, BigDecimal until) {
        ScriptedClock clock = new ScriptedClock(micros(now));

        DirectoryUse.awaitLaterTick(Instant.EPOCH.plus(micros(removed), ChronoUnit.MICROS), clock);

        assertEquals(micros(until), clock.micros());
    }

    private static long micros(BigDecimal seconds) {
        return seconds.movePointRight(6).longValueExact();
    }

    @Test
    void shouldTellWhenSomethingWasRemovedOrReplaced() throws IOException {
        Path directory = Files.createDirectory(data.resolve("directory"));
        Path moved = Files.createDirectory(data.resolve("moved"));
        Path target = Files.createDirectory(data.resolve("target"));
        Path file = Files.createFile(directory.resolve("file"));
        assertChangedBy(data.resolve("none/below"), () -> Files.delete(Files.createFile(data.resolve("other"))));
        assertChangedBy(directory, () -> Files.delete(file));
        assertChangedBy(directory, () -> {
            Files.delete(directory);
            Files.move(moved, directory);
        });
        assertChangedBy(directory, () -> {
            Files.move(directory, moved);
            Files.createSymbolicLink(directory, target);
        });
    }

    /** Times of files are as coarse as the system's ticks. */
    private static void assertChangedBy(Path path, Change change) throws IOException {
        DataDirectory directory = new DataDirectory(path);
        Instant before = directory.lastChange();
        await().until(() -> Clock.system().instant().isAfter(before.plusMillis(20)));
        change.run();
        assertTrue(directory.lastChange().isAfter(before), () -> path + " has not changed since " + before);
    }

    private interface Change {
        void run() throws IOException;
    }

    @Test
    void shouldTellWhoeverBeginsOfAChangeBeforeItsOwn() throws IOException {
        DataDirectory made = new DataDirectory(data.resolve("below/it"));
        Instant before = made.lastChange();
        List<Instant> told = new ArrayList<>();

        DirectoryUse.open(made, (first, change) -> told.add(change), DirectoryUse.PATIENCE)
                .close();

        assertEquals(List.of(before), told);
    }

    @Test
    @ProofOnly("waits for two seconds")
    void shouldPromiseANewRootInALaterSecondThanOthersWereRemoved() throws IOException {
        AllocatorSection section = Jackson.newObjectMapper(new YAMLFactory())
                .readValue("zookeeper: {embedded: {enabled: true, dataDir: '" + data + "'}}", AllocatorSection.class);
        long begun = new DataDirectory(data).lastChange().getEpochSecond();

        try (ZooKeeperInUse first = ZooKeeperInUse.open(section)) {
            assertTrue(first.entry().embedded());
            assertTrue(Clock.system().instant().getEpochSecond() >= begun + 2, "it did not wait");
        }
    }
}
