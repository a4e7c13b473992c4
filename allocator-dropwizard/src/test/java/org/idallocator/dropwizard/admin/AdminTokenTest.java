package org.idallocator.dropwizard.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dropwizard.jackson.Jackson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.dropwizard.config.AdminSection;
import org.idallocator.dropwizard.testing.Said;
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

    private static AdminToken token(Map<String, String> keys, Optional<Path> generatedFile) {
        return AdminToken.of(Jackson.newObjectMapper().convertValue(keys, AdminSection.class), generatedFile);
    }

    private Path generatedFile() {
        return directory.resolve("admin-token");
    }

    private AdminToken make() {
        return token(Map.of(), Optional.of(generatedFile()));
    }

    private String text() throws IOException {
        return Files.readString(generatedFile()).strip();
    }

    private static boolean shows(AdminToken token, String header) {
        return token.isShownBy(header.replace("RIGHT", RIGHT).replace("UPPER", RIGHT.replace('a', 'A')));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer RIGHT", "bearer RIGHT", "BEARER   RIGHT"})
    void shouldTakeTheTokenThatIsConfigured(String header) {
        AdminToken token = token(Map.of("token", RIGHT), Optional.of(generatedFile()));

        assertTrue(shows(token, header));
        assertFalse(Files.exists(generatedFile()), "none has to be made");
        assertFalse(token.description().contains(RIGHT), token.description());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "RIGHT", "Bearer ", "Bearer RIGHTx", "Bearer xRIGHT", "Bearer UPPER", "Basic RIGHT"})
    void shouldTakeNoOther(String header) {
        assertFalse(shows(token(Map.of("token", RIGHT), Optional.empty()), header));
    }

    @Test
    void shouldMakeATokenOnceForItsOwnerAlone() throws IOException {
        AdminToken token = make();
        String text = text();

        assertTrue(AdminSection.isToken(text), "a token of " + text.length() + " characters");
        assertTrue(token.isShownBy("Bearer " + text));
        assertEquals("the file " + generatedFile(), token.description());
        assertTrue(make().isShownBy("Bearer " + text), "made before");

        Files.delete(generatedFile());
        make();
        assertNotEquals(text, text(), "another one each time");
    }

    /** A process may have ended, or a disk been full, while the file was written. */
    @ParameterizedTest
    @ValueSource(strings = {"", "short"})
    void shouldMakeATokenAnewWhereTheFileHasNone(String left) throws IOException {
        Files.writeString(generatedFile(), left);

        assertTrue(make().isShownBy("Bearer " + text()));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(generatedFile())));
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(List.of(generatedFile()), files.toList(), "nothing else is left");
        }
    }

    @Test
    void shouldSayWhereATokenCannotBeWritten() {
        Path nowhere = directory.resolve("missing").resolve("admin-token");
        TokenFileException refused =
                assertThrows(TokenFileException.class, () -> token(Map.of(), Optional.of(nowhere)));

        assertTrue(
                String.valueOf(refused.getMessage())
                        .matches("the token of the admin port cannot be written to \\Q" + nowhere + "\\E: \\Q" + nowhere
                                + "\\E\\.[0-9]+: no such file or directory"),
                refused.getMessage());
    }

    @Test
    void shouldTakeANewTokenOfItsFileAtOnce() throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), RIGHT + "\n");
        AdminToken token = token(Map.of("tokenFile", file.toString()), Optional.of(generatedFile()));
        assertTrue(token.isShownBy("Bearer " + RIGHT));
        assertFalse(Files.exists(generatedFile()), "none has to be made");

        Files.writeString(file, RIGHT + "2");
        assertTrue(token.isShownBy("Bearer " + RIGHT + "2"));
        assertFalse(token.isShownBy("Bearer " + RIGHT));
    }

    /** An empty file would else let in whoever shows nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"", "short", "sixteen of these, with blanks"})
    void shouldLetNobodyInByAFileThatHasNoToken(String content) throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), content + "\n");
        AdminToken token = token(Map.of("tokenFile", file.toString()), Optional.empty());

        assertFalse(token.currentToken().isPresent());
        assertFalse(token.isShownBy("Bearer " + content) || token.isShownBy("Bearer "));
    }

    /** Whoever reaches the port could fill the log. */
    @Test
    void shouldLetNobodyInWithoutAnyTokenAndWarnOnceOfAFileThatIsNotThere() {
        AdminToken none = token(Map.of(), Optional.empty());
        AdminToken gone = token(Map.of("tokenFile", directory.resolve("none").toString()), Optional.empty());

        assertEquals("none: allocator.admin.token is not configured", none.description());
        try (Said said = new Said(AdminToken.class)) {
            for (AdminToken token : List.of(none, gone, gone)) {
                assertFalse(token.currentToken().isPresent());
                assertFalse(token.isShownBy("Bearer ") || token.isShownBy("Bearer null"));
            }
            assertEquals(1, said.lines().size(), said.lines()::toString);
        }
    }
}
