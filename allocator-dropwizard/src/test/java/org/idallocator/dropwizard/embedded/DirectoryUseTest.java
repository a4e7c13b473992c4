package org.idallocator.dropwizard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.dropwizard.jackson.Jackson;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
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
    @CsvSource({"10.2, 11", "10.749, 11", "10.75, 12", "10.9, 12"})
    void shouldWaitUntilOthersHaveNoticedAndTheirSecondIsOver(BigDecimal from, long until) {
        ScriptedClock clock = new ScriptedClock(from.movePointRight(6).longValueExact());

        DirectoryUse.awaitLaterTick(clock);

        assertEquals(Instant.ofEpochSecond(until), clock.instant());
    }

    @Test
    @ProofOnly("waits for a second")
    void shouldPromiseANewRootInALaterSecondThanItsDataWereMade() throws IOException {
        AllocatorSection section = Jackson.newObjectMapper(new YAMLFactory())
                .readValue("zookeeper: {embedded: {enabled: true, dataDir: '" + data + "'}}", AllocatorSection.class);
        long begun = Clock.system().instant().getEpochSecond();

        try (ZooKeeperInUse first = ZooKeeperInUse.open(section)) {
            assertTrue(first.entry().embedded());
            assertTrue(Clock.system().instant().getEpochSecond() > begun, "serves in the second of its start");
        }
    }
}
