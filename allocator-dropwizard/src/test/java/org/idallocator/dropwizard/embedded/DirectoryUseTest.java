package org.idallocator.dropwizard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.dropwizard.jackson.Jackson;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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
    @CsvSource({
        "10.2, 10.2, 11",
        "10.749, 10.8, 11",
        "10.75, 10.8, 12",
        "10.9, 11.5, 12",
        "10.9, 12.1, 12.1",
        "99, 10.8, 12"
    })
    void shouldWaitUntilOthersHaveNoticedAndTheirSecondIsOver(BigDecimal removed, BigDecimal now, BigDecimal until) {
        ScriptedClock clock = new ScriptedClock(micros(now));

        DirectoryUse.awaitLaterTick(Instant.EPOCH.plus(micros(removed), ChronoUnit.MICROS), clock);

        assertEquals(micros(until), clock.micros());
    }

    private static long micros(BigDecimal seconds) {
        return seconds.movePointRight(6).longValueExact();
    }

    @Test
    void shouldTellWhenDataWereRemoved() throws IOException {
        Instant removed = Instant.ofEpochSecond(1_000);
        List<Instant> told = new ArrayList<>();
        for (Path made : List.of(data, data.resolve("below/it"))) {
            Files.setLastModifiedTime(data, FileTime.from(removed));
            DirectoryUse.open(new DataDirectory(made), (first, change) -> told.add(change), DirectoryUse.PATIENCE)
                    .close();
        }

        assertEquals(List.of(removed, removed), told);
    }

    @Test
    @ProofOnly("waits for a second")
    void shouldPromiseANewRootInALaterSecondThanOthersWereRemoved() throws IOException {
        AllocatorSection section = Jackson.newObjectMapper(new YAMLFactory())
                .readValue("zookeeper: {embedded: {enabled: true, dataDir: '" + data + "'}}", AllocatorSection.class);
        Instant removed = Clock.system().instant().plusSeconds(1); // as if its clock were ahead
        Files.setLastModifiedTime(data, FileTime.from(removed));
        long begun = Clock.system().instant().plusMillis(250).getEpochSecond();

        try (ZooKeeperInUse first = ZooKeeperInUse.open(section)) {
            assertTrue(first.entry().embedded());
            assertTrue(Clock.system().instant().getEpochSecond() > begun, "serves in the second of its start");
        }
    }
}
