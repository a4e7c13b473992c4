package org.idallocator.dropwizard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
