package org.idallocator.service.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.service.failures.AfterFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to use a directory, for one process at a time. The right ends with the process, however that ends.
 *
 * <p>Two files are locked, one of them where nobody looks. So a process is still noticed when somebody took one file for a
 * leftover and removed it; {@link #verify} then makes that file anew. A directory with data and without both files does not
 * tell who uses it, and is refused. Thread-safe.
 */
final class DirectoryLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryLock.class);

    private final DataDirectory directory;
    private final boolean made;
    private final List<LockFile> locks;
    private final DirectoryPlace place;

    private DirectoryLock(DataDirectory directory, boolean made, List<LockFile> locks) throws IOException {
        this.directory = directory;
        this.made = made;
        this.locks = locks;
        this.place = DirectoryPlace.of(directory);
    }

    /** Locks a directory, which is made if need be; throws {@link EmbeddedStartException} when it cannot be used. */
    static DirectoryLock on(Path path) {
        return on(new DataDirectory(path), false);
    }

    /** The same for a directory with data; changes nothing and throws {@link EmbeddedStartException} when it has none. */
    static DirectoryLock onExisting(Path path) {
        return on(new DataDirectory(path), true);
    }

    private static DirectoryLock on(DataDirectory directory, boolean existing) {
        return directory.use(() -> {
            requireUsable(directory, existing);
            Files.createDirectories(directory.path());
            return locked(directory);
        });
    }

    private static void requireUsable(DataDirectory directory, boolean existing) throws IOException {
        boolean data = directory.holdsData();
        if (existing && !data) {
            if (isTaken(directory)) {
                throw new DirectoryInUseException(directory);
            }
            throw new EmbeddedStartException(directory + " holds no data: no service has run on it");
        }
        if (data && !Files.exists(directory.lock()) && !Files.exists(directory.innerLock())) {
            throw new EmbeddedStartException(directory
                    + " holds data but no lock file, so a process that still runs on it could not be seen; stop any, then"
                    + " create the empty file " + directory.lock());
        }
    }

    /**
     * Makes a lock file only when no other process is seen to have the directory: the process that has it takes a file that
     * somebody else has made and locked for a sign that the directory is its own no more.
     */
    private static DirectoryLock locked(DataDirectory directory) throws IOException {
        List<LockFile> locks = new ArrayList<>();
        try {
            boolean outer = Files.exists(directory.lock());
            boolean inner = Files.exists(directory.innerLock());
            if (!outer && inner) {
                lock(directory, directory.innerLock(), locks);
            }
            lock(directory, directory.lock(), locks);
            boolean made = !Files.exists(directory.zookeeper());
            Files.createDirectories(directory.files());
            if (outer || !inner) {
                lock(directory, directory.innerLock(), locks);
            }
            return new DirectoryLock(directory, made, locks);
        } catch (IOException | RuntimeException e) {
            locks.forEach(lock -> AfterFailure.close(e, lock));
            throw e;
        }
    }

    private static void lock(DataDirectory directory, Path file, List<LockFile> locks) throws IOException {
        locks.add(LockFile.tryLock(file).orElseThrow(() -> new DirectoryInUseException(directory)));
    }

    /** Whether a process has the directory now. Makes and changes nothing. */
    static boolean isTaken(DataDirectory directory) throws IOException {
        return LockFile.isTaken(directory.lock()) || LockFile.isTaken(directory.innerLock());
    }

    DataDirectory directory() {
        return directory;
    }

    /** Whether this lock made the place for ZooKeeper's data, so that there was not even an empty one before. */
    boolean made() {
        return made;
    }

    /**
     * Looks whether the directory is still the one that was locked. A lock file that was removed is made anew.
     *
     * @throws DirectoryLostException when it is another directory, or another process has locked it as well
     * @throws UncheckedIOException when the directory cannot be looked at now, or a lock file cannot be made
     */
    synchronized void verify() throws DirectoryLostException {
        try {
            place.verify();
            for (int i = 0; i < locks.size(); i++) {
                locks.set(i, kept(locks.get(i)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private LockFile kept(LockFile lock) throws IOException, DirectoryLostException {
        if (lock.inPlace()) {
            return lock;
        }
        LockFile anew = LockFile.tryLock(lock.path())
                .orElseThrow(() -> new DirectoryLostException(
                        directory + " is in use by another process as well: it has locked a new " + lock.path()));
        lock.close();
        LOG.warn("{} was removed while in use; it is there again and locked", anew.path());
        return anew;
    }

    /** Unlocks the directory. An empty place for data that this lock made is removed, so that the next start makes it again. */
    @Override
    public synchronized void close() {
        place.close();
        if (made) {
            removeWhatIsEmpty();
        }
        locks.forEach(LockFile::close);
    }

    private void removeWhatIsEmpty() {
        try {
            if (!directory.holdsData() && Files.exists(directory.files())) {
                Files.delete(directory.files());
                Files.deleteIfExists(directory.innerLock());
                Files.deleteIfExists(directory.identity());
                Files.delete(directory.zookeeper());
            }
        } catch (IOException e) {
            LOG.warn(
                    "an empty place for data is left in {}; the next start takes it for one that lost its data",
                    directory,
                    e);
        }
    }
}
