package org.idallocator.service.embedded;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The second process is a real one, because locks are between processes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DirectoryLockTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private DataDirectory data;

    private final List<Process> children = new ArrayList<>();

    @BeforeEach
    void setUp() {
        data = new DataDirectory(directory.resolve("data"));
    }

    @AfterEach
    void endChildren() {
        children.forEach(Process::destroyForcibly);
    }

    /** What a second process prints that wants the directory, and keeps it once it is locked. */
    private String child() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HoldDirectory.class.getName(),
                        data.path().toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        children.add(process);
        BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = said.readLine();
        while (line != null && !line.equals("locked") && !line.contains("dataDir")) {
            line = said.readLine();
        }
        return String.valueOf(line);
    }

    private String inUse() {
        return data + " is in use by another process; stop that or name another directory";
    }

    private DirectoryLock lockWithData() throws IOException {
        DirectoryLock lock = DirectoryLock.on(data.path());
        Files.createFile(data.files().resolve("snapshot.0"));
        return lock;
    }

    @Test
    void shouldRefuseASecondProcessUntilClosed() throws IOException {
        try (DirectoryLock lock = lockWithData()) {
            assertTrue(lock.made());
            assertEquals(inUse(), child());
        }
        assertEquals("locked", child());
    }

    /** Closing any channel on a file ends a process's lock on that file. */
    @Test
    void shouldStillRefuseASecondProcessWhenThisOneHasTriedAgain() throws IOException {
        try (DirectoryLock lock = lockWithData()) {
            assertThrows(DirectoryInUseException.class, () -> DirectoryLock.on(data.path()));
            assertDoesNotThrow(lock::verify);
            assertEquals(inUse(), child());
        }
    }

    @Test
    void shouldRefuseASecondProcessWhenTheLockFileWasRemoved() throws IOException {
        try (DirectoryLock lock = lockWithData()) {
            Files.delete(data.lock());
            assertEquals(inUse(), child());
            assertTrue(lock.made());
        }
    }

    /** A new lock file that is locked, if only for a moment, tells a process that its directory is lost. */
    @Test
    void shouldMakeNoLockFileWhenAnotherIsSeenToBeLocked() throws IOException {
        try (DirectoryLock lock = lockWithData()) {
            Files.delete(data.lock());
            assertEquals(inUse(), child());
            assertFalse(Files.exists(data.lock()));
            assertTrue(DirectoryLock.isTaken(lock.directory()));
        }
        assertFalse(DirectoryLock.isTaken(data));
    }

    /** The process that has the directory is just starting. */
    @Test
    void shouldSayThatItIsInUseRatherThanThatItHoldsNoData() throws IOException {
        try (DirectoryLock lock = DirectoryLock.on(data.path())) {
            assertThrows(DirectoryInUseException.class, () -> DirectoryLock.onExisting(data.path()));
            assertTrue(lock.made());
        }
    }

    @Test
    void shouldRefuseASecondProcessWhenBothLockFilesWereRemoved() throws IOException {
        try (DirectoryLock lock = lockWithData()) {
            Files.delete(data.lock());
            Files.delete(data.innerLock());
            assertEquals(
                    data
                            + " holds data but no lock file, so a process that still runs on it could not be seen; stop any,"
                            + " then create the empty file " + data.lock(),
                    child());
            assertTrue(lock.made());
        }
    }

    @Test
    void shouldBeLockableAgainWhenTheOperatorHasMadeTheLockFile() throws IOException {
        lockWithData().close();
        Files.delete(data.lock());
        Files.delete(data.innerLock());
        assertThrows(EmbeddedStartException.class, () -> DirectoryLock.on(data.path()));

        Files.createFile(data.lock());
        DirectoryLock.on(data.path()).close();
    }

    @Test
    void shouldMakeLockFilesAnewWhenTheyWereRemoved() throws Exception {
        try (DirectoryLock lock = lockWithData()) {
            Files.delete(data.lock());
            Files.delete(data.innerLock());
            lock.verify();
            Files.delete(data.innerLock());
            assertEquals(inUse(), child());
            Files.delete(data.lock());
            lock.verify();
            assertEquals(inUse(), child());
        }
    }

    @Test
    void shouldBeLostWhenAnotherProcessHasLockedANewLockFile() throws Exception {
        try (DirectoryLock lock = lockWithData()) {
            Files.delete(data.lock());
            Files.delete(data.innerLock());
            Files.createFile(data.lock());
            assertEquals("locked", child());

            DirectoryLostException lost = assertThrows(DirectoryLostException.class, lock::verify);
            assertEquals(
                    data + " is in use by another process as well: it has locked a new " + data.lock(),
                    lost.getMessage());
        }
    }

    @Test
    void shouldBeLostWhenTheDirectoryIsRenamed() throws Exception {
        try (DirectoryLock lock = lockWithData()) {
            Files.move(data.path(), directory.resolve("elsewhere"));
            assertEquals(
                    data + " was removed while it was in use: " + data.path(),
                    assertThrows(DirectoryLostException.class, lock::verify).getMessage());
        }
    }

    @Test
    void shouldBeLostWhenAnotherDirectoryTookItsPlace() throws Exception {
        try (DirectoryLock lock = lockWithData()) {
            Files.move(data.path(), directory.resolve("elsewhere"));
            Files.createDirectories(data.files());
            Files.createFile(data.files().resolve("snapshot.0"));
            assertEquals(
                    data + " was replaced while it was in use: " + data.path(),
                    assertThrows(DirectoryLostException.class, lock::verify).getMessage());
        }
    }

    @Test
    void shouldBeLostWhenTheDataIsRemoved() throws Exception {
        try (DirectoryLock lock = lockWithData()) {
            Files.delete(data.files().resolve("snapshot.0"));
            assertEquals(
                    data + " has lost its data while it was in use",
                    assertThrows(DirectoryLostException.class, lock::verify).getMessage());
        }
    }

    @Test
    void shouldHaveMadeTheDirectoryUntilSomethingIsWritten() throws IOException {
        DirectoryLock.on(data.path()).close();
        lockWithData().close();

        try (DirectoryLock again = DirectoryLock.on(data.path())) {
            assertFalse(again.made());
        }
    }

    @Test
    void shouldNotHaveMadeTheDirectoryWhenOnlyThePlaceForDataIsLeft() throws IOException {
        Files.createDirectories(data.files());

        try (DirectoryLock lock = DirectoryLock.on(data.path())) {
            assertFalse(lock.made());
        }
    }

    @Test
    void shouldMakeNothingWhenOnlyExistingDataIsWanted() throws IOException {
        EmbeddedStartException refused =
                assertThrows(EmbeddedStartException.class, () -> DirectoryLock.onExisting(data.path()));
        assertEquals(data + " holds no data: no service has run on it", refused.getMessage());
        assertFalse(Files.exists(data.path()));

        lockWithData().close();
        DirectoryLock.onExisting(data.path()).close();
    }
}
