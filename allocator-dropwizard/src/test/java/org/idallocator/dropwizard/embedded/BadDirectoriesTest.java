package org.idallocator.dropwizard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Directories that the embedded ZooKeeper cannot use: a start says in words what is in the way. */
class BadDirectoriesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path base;

    /** What a start on {@code name} says, with {@code {}} in the place of the directory. */
    private String refused(String name) {
        DataDirectory data = new DataDirectory(base.resolve(name));
        EmbeddedStartException refused = assertThrows(
                EmbeddedStartException.class,
                () -> DirectoryUse.open(data, DirectoryUse.AtFirst.NOTHING, Duration.ZERO));
        return said(data, refused);
    }

    private static String said(DataDirectory data, EmbeddedStartException refused) {
        return String.valueOf(refused.getMessage()).replace(data.path().toString(), "{}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            data                     | data       | {} is not a directory
            data                     | data/below | {}: Not a directory
            data/zookeeper           | data       | {}/zookeeper/version-2: Not a directory
            data/zookeeper/version-2 | data       | {}/zookeeper/version-2 is not a directory
            """)
    void shouldNameTheFileThatIsInTheWay(String file, String directory, String why) throws IOException {
        Files.createDirectories(base.resolve(file).getParent());
        Files.createFile(base.resolve(file));

        assertEquals("zookeeper.embedded.dataDir {} cannot be used: " + why, refused(directory));
    }

    @Test
    void shouldNameALockThatIsADirectory() throws IOException {
        Files.createDirectories(base.resolve("data/lock"));

        assertEquals("zookeeper.embedded.dataDir {} cannot be used: {}/lock: Is a directory", refused("data"));
    }

    @Test
    void shouldNameALinkToNothing() throws IOException {
        Files.createSymbolicLink(base.resolve("data"), base.resolve("nothing"));

        assertEquals("zookeeper.embedded.dataDir {} cannot be used: {} is not a directory", refused("data"));
    }

    /** Whoever may do everything, as a build in a container, cannot have these made. */
    @Test
    void shouldSayInWordsWhatASystemTellsByAClassAlone() {
        DataDirectory data = new DataDirectory(base);
        String file = data.lock().toString();

        assertEquals(
                "zookeeper.embedded.dataDir {} cannot be used: {}/lock: permission denied",
                said(data, EmbeddedStartException.unusable(data, new AccessDeniedException(file))));
        assertEquals(
                "zookeeper.embedded.dataDir {} cannot be used: {}/lock: no such file or directory",
                said(data, EmbeddedStartException.unusable(data, new NoSuchFileException(file))));
        assertEquals(
                "zookeeper.embedded.dataDir {} cannot be used: No space left on device",
                said(data, EmbeddedStartException.unusable(data, new IOException("No space left on device"))));
    }

    /** A new ZooKeeper in a place beside these data would know nothing of what was reserved in them. */
    @ParameterizedTest
    @CsvSource({"data/version-2, data", "data/zookeeper/version-2, data/zookeeper"})
    void shouldMakeNoDataBesideThoseOfAnotherZooKeeper(String theirs, String directory) throws IOException {
        Files.createDirectories(base.resolve(theirs));

        assertEquals(
                "zookeeper.embedded.dataDir {} cannot be used: {}/version-2 has the data of another ZooKeeper, which the embedded"
                        + " one would not read; its own are in zookeeper/version-2 below the directory",
                refused(directory));
        assertFalse(Files.exists(base.resolve(directory).resolve("lock")));
    }
}
