package org.idallocator.service.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.dropwizard.jackson.Jackson;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedSectionTest {
    private static final String HOME = System.getProperty("user.home");

    private static EmbeddedSection section(String text) throws IOException {
        return Jackson.newObjectMapper(new YAMLFactory()).readValue(text, EmbeddedSection.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{enabled: true}", "{dataDir: ''}", "{dataDir: ' '}", "{dataDir: }"})
    void shouldHaveOneDirectoryForEachUserByDefault(String text) throws IOException {
        assertEquals(Path.of(HOME, ".id-allocator"), section(text).dataDir());
    }

    @ParameterizedTest
    @CsvSource({"~/.id-allocator, HOME/.id-allocator", "~/ids/own, HOME/ids/own", "/var/ids, /var/ids"})
    void shouldBeTheSameDirectoryWhereverItIsStarted(String named, String directory) throws IOException {
        assertEquals(
                Path.of(directory.replace("HOME", HOME)),
                section("dataDir: " + named).dataDir());
    }

    /** Two working directories would have two ZooKeepers, which know nothing of each other. */
    @ParameterizedTest
    @ValueSource(strings = {"data", "./data", "../data", "~", "~ada/data", "$HOME/data"})
    void shouldRefuseADirectoryThatDependsOnWhereItIsStarted(String named) {
        requireRefused(named);
    }

    private static void requireRefused(String named) {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> section("dataDir: '" + named + "'").dataDir());
        assertEquals(
                "zookeeper.embedded.dataDir must be an absolute path, or begin with ~/ where the user has a home directory: "
                        + named,
                refused.getMessage());
    }

    /** As the JVM has it for a user without an entry in /etc/passwd. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "?"})
    void shouldRefuseTheHomeDirectoryOfAUserWhoHasNone(String home) throws IOException {
        System.setProperty("user.home", home);
        try {
            requireRefused("~/.id-allocator");
            assertEquals(Path.of("/var/ids"), section("dataDir: /var/ids").dataDir());
        } finally {
            System.setProperty("user.home", HOME);
        }
    }
}
