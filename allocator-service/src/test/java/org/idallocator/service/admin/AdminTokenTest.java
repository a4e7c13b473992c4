package org.idallocator.service.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.dropwizard.jackson.Jackson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.service.config.AdminSection;
import org.idallocator.service.testing.Said;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the token of the admin port comes from, and who shows it. */
class AdminTokenTest {
    private static final String RIGHT = "0123456789abcdef-~+/=._";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private static AdminSection section(String keys) {
        try {
            return Jackson.newObjectMapper(new YAMLFactory()).readValue(keys, AdminSection.class);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private Path made() {
        return directory.resolve("admin-token");
    }

    private String text(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer " + RIGHT, "bearer " + RIGHT, "BEARER   " + RIGHT})
    void shouldTakeTheTokenThatIsConfigured(String header) {
        AdminToken token = AdminToken.of(section("token: " + RIGHT), Optional.of(made()));

        assertTrue(token.isShownBy(header));
        assertFalse(Files.exists(made()), "none has to be made");
        assertFalse(token.place().contains(RIGHT), token.place());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                RIGHT,
                "Bearer",
                "Bearer ",
                "Bearer " + RIGHT + "x",
                "Bearer x" + RIGHT,
                "Bearer 0123456789abcdef",
                "Bearer 0123456789ABCDEF-~+/=._",
                "Basic " + RIGHT
            })
    void shouldTakeNoOther(String header) {
        assertFalse(AdminToken.of(section("token: " + RIGHT), Optional.empty()).isShownBy(header));
    }

    @Test
    void shouldMakeATokenOnceForItsOwnerAlone() throws IOException {
        AdminToken token = AdminToken.of(section("{}"), Optional.of(made()));
        String text = text(made());

        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made())));
        assertTrue(AdminSection.isToken(text), "a token of " + text.length() + " characters");
        assertTrue(token.isShownBy("Bearer " + text));
        assertEquals("the file " + made(), token.place());
        assertTrue(AdminToken.of(section("{}"), Optional.of(made())).isShownBy("Bearer " + text), "made before");

        Files.delete(made());
        AdminToken.of(section("{}"), Optional.of(made()));
        assertNotEquals(text, text(made()), "another one each time");
    }

    /** A process may have ended, or a disk been full, while the file was written. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "short"})
    void shouldMakeATokenAnewWhereTheFileHasNone(String left) throws IOException {
        Files.writeString(made(), left);
        AdminToken token = AdminToken.of(section("{}"), Optional.of(made()));

        assertTrue(token.isShownBy("Bearer " + text(made())));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made())));
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(List.of(made()), files.toList(), "nothing else is left");
        }
    }

    /** Whoever reaches the port could fill the log. */
    @Test
    void shouldWarnOnceOfAFileThatCannotBeRead() {
        try (Said said = new Said(AdminToken.class)) {
            AdminToken gone = AdminToken.of(section("tokenFile: " + directory.resolve("none")), Optional.empty());
            for (int i = 0; i < 5; i++) {
                assertFalse(gone.now().get().isPresent());
            }

            assertEquals(1, said.lines().size(), said.lines()::toString);
        }
    }

    @Test
    void shouldSayWhereATokenCannotBeWritten() {
        Path nowhere = directory.resolve("missing").resolve("admin-token");
        UncheckedIOException refused =
                assertThrows(UncheckedIOException.class, () -> AdminToken.of(section("{}"), Optional.of(nowhere)));

        assertEquals("the token of the admin port cannot be written to " + nowhere, refused.getMessage());
    }

    @Test
    void shouldTakeANewTokenOfItsFileAtOnce() throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), RIGHT + "\n");
        AdminToken token = AdminToken.of(section("tokenFile: " + file), Optional.of(made()));
        assertTrue(token.isShownBy("Bearer " + RIGHT));
        assertFalse(Files.exists(made()), "none has to be made");

        Files.writeString(file, RIGHT + "2");
        assertTrue(token.isShownBy("Bearer " + RIGHT + "2"));
        assertFalse(token.isShownBy("Bearer " + RIGHT));
    }

    /** An empty file would else let in whoever shows nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "short", "sixteen of these, with blanks"})
    void shouldLetNobodyInByAFileThatHasNoToken(String content) throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), content);
        AdminToken token = AdminToken.of(section("tokenFile: " + file), Optional.empty());

        assertFalse(token.now().get().isPresent());
        assertFalse(token.isShownBy("Bearer " + content.strip()));
        assertFalse(token.isShownBy("Bearer "));
    }

    @Test
    void shouldLetNobodyInWithoutAnyToken() {
        AdminToken none = AdminToken.of(section("{}"), Optional.empty());
        AdminToken gone = AdminToken.of(section("tokenFile: " + directory.resolve("none")), Optional.empty());

        assertFalse(none.now().get().isPresent() || gone.now().get().isPresent());
        assertFalse(none.isShownBy("Bearer ") || gone.isShownBy("Bearer null"));
        assertEquals("none: allocator.admin.token is not configured", none.place());
    }
}
