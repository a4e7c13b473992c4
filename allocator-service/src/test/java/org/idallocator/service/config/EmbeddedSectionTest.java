package org.idallocator.service.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.dropwizard.jackson.Jackson;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedSectionTest {
    @ParameterizedTest
    @ValueSource(strings = {"{enabled: true}", "{dataDir: ''}", "{dataDir: ' '}", "{dataDir: }"})
    void shouldHaveOneDirectoryForEachUserByDefault(String section) throws IOException {
        assertEquals(
                Path.of(System.getProperty("user.home"), ".id-allocator"),
                Jackson.newObjectMapper(new YAMLFactory())
                        .readValue(section, EmbeddedSection.class)
                        .dataDir());
    }

    @ParameterizedTest
    @CsvSource({"~/.id-allocator, /home/ada/.id-allocator", "~/ids/own, /home/ada/ids/own", "/var/ids, /var/ids"})
    void shouldBeTheSameDirectoryWhereverItIsStarted(String named, Path directory) {
        assertEquals(directory, EmbeddedSection.dataDir(named, "/home/ada"));
    }

    /** Two working directories would have two ZooKeepers, which know nothing of each other. */
    @ParameterizedTest
    @ValueSource(strings = {"data", "./data", "../data", "~", "~ada/data", "$HOME/data"})
    void shouldRefuseADirectoryThatDependsOnWhereItIsStarted(String named) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> EmbeddedSection.dataDir(named, "/home/ada"));
        assertEquals(
                "zookeeper.embedded.dataDir must be an absolute path, or begin with ~/ for the home directory: "
                        + named,
                refused.getMessage());
    }

    /** As the JVM has it for a user without an entry in /etc/passwd. */
    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "?"})
    void shouldNameTheKeyWhenThereIsNoHomeDirectory(String home) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> EmbeddedSection.dataDir("~/.id-allocator", home));
        assertEquals(
                "zookeeper.embedded.dataDir must name a directory: ~/.id-allocator is none, because this user has no home"
                        + " directory (user.home is " + home + ")",
                refused.getMessage());
        assertEquals(Path.of("/var/ids"), EmbeddedSection.dataDir("/var/ids", home));
    }
}
