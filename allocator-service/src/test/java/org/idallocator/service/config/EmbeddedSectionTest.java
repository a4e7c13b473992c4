package org.idallocator.service.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.dropwizard.jackson.Jackson;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedSectionTest {
    @ParameterizedTest
    @ValueSource(strings = {"{enabled: true}", "{dataDir: ''}", "{dataDir: ' '}", "{dataDir: }"})
    void shouldHaveOneDirectoryForEachUserByDefault(String section) throws IOException {
        assertEquals(
                EmbeddedSection.inHome(System.getProperty("user.home")),
                Jackson.newObjectMapper(new YAMLFactory())
                        .readValue(section, EmbeddedSection.class)
                        .dataDir());
    }

    @Test
    void shouldBeInTheHomeDirectoryWhereverItIsStarted() {
        assertEquals(Path.of("/home/ada/.id-allocator"), EmbeddedSection.inHome("/home/ada"));
    }

    /** As the JVM has it for a user without an entry in /etc/passwd. */
    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " ", "?"})
    void shouldNameTheKeyWhenThereIsNoHomeDirectory(String home) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> EmbeddedSection.inHome(home));
        assertEquals(
                "zookeeper.embedded.dataDir must name a directory: it is left out, and this user has no home directory"
                        + " (user.home is " + home + ")",
                refused.getMessage());
    }
}
