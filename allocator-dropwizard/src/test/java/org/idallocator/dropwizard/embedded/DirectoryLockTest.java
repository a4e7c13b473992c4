package org.idallocator.dropwizard.embedded;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** The second process is a real one, because locks are between processes. */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("try") // a lock that is held is not asked
class DirectoryLockTest {
    private static final String IN_USE = "dataDir in use";

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
    void endChildren() throws InterruptedException {
        for (Process child : children) {
            child.destroyForcibly().waitFor();
        }
    }

    /** What a second process prints that wants the directory, and keeps it once it is locked. */
    private String child() throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HoldDirectory.class.getName(),
                        data.path().toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        children.add(process);
        return process.inputReader()
                .lines()
                .filter(line -> line.equals("locked") || line.contains("dataDir"))
                .findFirst()
                .orElseThrow();
    }

    private DirectoryLock lock() throws IOException {
        return DirectoryLock.tryLock(data).orElseThrow();
    }

    private DirectoryLock lockWithData() throws IOException {
        DirectoryLock lock = lock();
        Files.createDirectories(data.files());
        Files.createFile(data.files().resolve("snapshot.0"));
        return lock;
    }

    @Test
    void shouldRefuseASecondProcessUntilClosed() throws IOException {
        try (DirectoryLock lock = lockWithData()) {
            assertEquals(IN_USE, child());
        }
        assertEquals("locked", child());
    }

    /** Closing any channel on a file ends a process's lock on that file. */
    @Test
    void shouldStillRefuseASecondProcessWhenThisOneHasTriedAgain() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), data.path());
        try (DirectoryLock lock = lockWithData()) {
            assertEquals(Optional.empty(), DirectoryLock.tryLock(data));
            assertEquals(Optional.empty(), DirectoryLock.tryLock(new DataDirectory(link)), "the same by another name");
            lock.ensureLocked();
            assertEquals(IN_USE, child());
        }
        lock().close();
    }

    @Test
    void shouldRefuseASecondProcessWhenTheLockFileWasRemoved() throws IOException {
        try (DirectoryLock lock = lockWithData()) {
            Files.delete(data.lock());
            assertEquals(
                    data
                            + " holds data but no lock file, so a process that still runs on it could not be seen; stop any,"
                            + " then create the empty file " + data.lock(),
                    child());
            assertFalse(Files.exists(data.lock()));
        }
    }

    /** The process that has the directory is just starting. */
    @Test
    void shouldSayThatItIsInUseRatherThanThatItHoldsNoData() throws IOException {
        try (DirectoryLock lock = lock()) {
            assertEquals(Optional.empty(), DirectoryLock.tryLockExisting(data));
        }
    }

    @Test
    @ProofOnly("three processes")
    void shouldMakeTheLockFileAnewWhenItWasRemoved() throws Exception {
        try (DirectoryLock lock = lockWithData()) {
            for (int i = 0; i < 2; i++) {
                Files.delete(data.lock());
                lock.ensureLocked();
                assertEquals(IN_USE, child());
            }
        }
        assertEquals("locked", child());
    }

    /**
     * Another process may have opened it before, and try for it yet. In this JVM, a lock that is held shows in an
     * exception.
     */
    @Test
    void shouldKeepALockFileLockedThatWasRemoved() throws Exception {
        try (DirectoryLock lock = lockWithData();
                FileChannel before = FileChannel.open(data.lock(), StandardOpenOption.WRITE)) {
            Files.delete(data.lock());
            lock.ensureLocked();
            assertThrows(OverlappingFileLockException.class, before::tryLock);
        }
    }

    @Test
    @ProofOnly("two processes")
    void shouldGoOnWhenTheLockFileIsPutBack() throws Exception {
        Path elsewhere = directory.resolve("elsewhere");
        try (DirectoryLock lock = lockWithData()) {
            Files.move(data.lock(), elsewhere);
            lock.ensureLocked();
            Files.move(elsewhere, data.lock(), StandardCopyOption.REPLACE_EXISTING);
            lock.ensureLocked();
            assertEquals(IN_USE, child());
        }
        assertEquals("locked", child());
    }

    @Test
    void shouldBeLostWhenAnotherProcessHasLockedANewLockFile() throws Exception {
        try (DirectoryLock lock = lockWithData()) {
            Files.delete(data.lock());
            Files.createFile(data.lock());
            assertEquals("locked", child());

            assertEquals(
                    data + " is in use by another process as well: it has locked a new " + data.lock(),
                    assertThrows(DirectoryLostException.class, lock::ensureLocked)
                            .getMessage());
        }
    }

    /** A directory that is made right after another one was removed often gets its inode. */
    @Test
    void shouldBeLostWhenTheDirectoryIsRemovedAndMadeAnew() throws Exception {
        requireLost(() -> {
            Files.delete(data.files().resolve("snapshot.0"));
            Files.delete(data.files());
            Files.createDirectory(data.files());
            Files.createFile(data.files().resolve("snapshot.0"));
        });
    }

    @Test
    void shouldBeLostWhenTheDataIsRemoved() throws Exception {
        requireLost(() -> Files.delete(data.files().resolve("snapshot.0")));
    }

    /** A directory that is used is lost after something has happened to it. */
    private void requireLost(Executable happens) throws Exception {
        lockWithData().close();
        try (DirectoryUse used = DirectoryUse.openAsClient(data, Address.of("any", 1), status -> {})) {
            used.verify();
            assertDoesNotThrow(happens);
            assertEquals(
                    data
                            + " is not what this process began to use: it was removed or replaced, or its ZooKeeper serves on"
                            + " another port than 1",
                    assertThrows(DirectoryLostException.class, used::verify).getMessage());
        }
    }

    /** Whoever asks at the moment at which this has the lock must not believe the address. */
    @Test
    void shouldTakeAwayWhatAKilledOwnerHasPublishedWhenNobodyRuns() throws IOException {
        DirectoryLock owner = lockWithData();
        DirectoryLock.requireTakenOrRemoveAddress(data); // which another one has
        Files.createFile(data.address());
        owner.close();
        assertThrows(EmbeddedStartException.class, () -> DirectoryLock.requireTakenOrRemoveAddress(data));
        assertFalse(Files.exists(data.address()));
        DirectoryLock.tryLock(data).orElseThrow().close();
    }
}
