package org.idallocator.dropwizard.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.idallocator.dropwizard.testing.Said;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No process can know whether the original of a copy is used: a person has to hear of it, wherever that person looks.
 */
class IdentityTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path base;

    private DataDirectory made(String name) throws IOException {
        DataDirectory directory = new DataDirectory(base.resolve(name));
        Files.createDirectories(directory.files());
        return directory;
    }

    @Test
    void shouldWarnInTheLogAndOnStandardErrorWhenTheDirectoryIsACopy() throws IOException {
        DataDirectory original = made("original");
        JsonFile.write(original.identity(), Identity.of(original, Address.of("original", 61_001)));
        DataDirectory copy = made("copy");
        Files.copy(original.identity(), copy.identity());

        ByteArrayOutputStream told = new ByteArrayOutputStream();
        PrintStream standard = System.err;
        System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
        try (Said said = new Said(Identity.class)) {
            assertEquals("original", Identity.readOrMake(original).identity());
            assertNotEquals("original", Identity.readOrMake(copy).identity());
            String warning =
                    copy + " is a copy or a backup, because its data were written in another directory: IDs come"
                            + " twice if a process has run on the original since the copy was made; let none run there, and run"
                            + " fence-restore here before IDs are drawn. Nothing is to be done where nobody has copied"
                            + " anything, and disks have other numbers since a restart";
            assertEquals(List.of(warning), said.lines());
            assertEquals(
                    List.of(Level.WARN),
                    said.events().stream().map(ILoggingEvent::getLevel).toList());
            assertEquals(
                    List.of(warning),
                    told.toString(StandardCharsets.UTF_8).lines().toList());
        } finally {
            System.setErr(standard);
        }
    }

    @Test
    void shouldWarnOfNothingWhenTheDirectoryIsNew() throws IOException {
        try (Said said = new Said(Identity.class)) {
            assertNotEquals("", Identity.readOrMake(made("new")).identity());
            assertEquals(List.of(), said.lines());
        }
    }
}
