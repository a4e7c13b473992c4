package org.idallocator.dropwizard.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dropwizard.jackson.Jackson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.idallocator.core.id.BadValueException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With which credentials a replica goes to ZooKeeper. */
class ZooKeeperSectionTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve("credentials");
    }

    private static List<String> auth(Map<String, Object> keys) {
        return Jackson.newObjectMapper()
                .convertValue(keys, ZooKeeperSection.class)
                .settings()
                .auth();
    }

    private List<String> authOfFile(String text) throws IOException {
        Files.writeString(file, text);
        return auth(Map.of("authFile", file.toString(), "auth", List.of("")));
    }

    @Test
    void shouldLeaveOutAnEntryThatIsEmpty() {
        assertEquals(List.of("digest:a:b"), auth(Map.of("auth", List.of("", "digest:a:b", " "))));
        assertEquals(List.of(), auth(Map.of("auth", List.of(""), "authFile", "")));
    }

    @Test
    void shouldTakeWhatTheFileHas() throws IOException {
        assertEquals(List.of("digest:a:it's ${b}"), authOfFile("digest:a:it's ${b}\n"));
        assertEquals(List.of("digest:a:b", "digest:c:d"), authOfFile("digest:a:b\r\ndigest:c:d"));
    }

    /** A replica that took that for no credentials would make nodes that anybody may write. */
    @ParameterizedTest
    @ValueSource(strings = {"", " \n", "secret", "digest:secret", "digest:a:b\n\ndigest:c:d", "digest:a:b\nsecret"})
    void shouldRefuseAFileThatHasSomethingElseAndNotShowWhat(String text) {
        BadValueException refused = assertThrows(BadValueException.class, () -> authOfFile(text));

        assertEquals("zookeeper.authFile", refused.key());
        assertFalse(refused.rule().contains("secret"), refused.rule());
    }
}
