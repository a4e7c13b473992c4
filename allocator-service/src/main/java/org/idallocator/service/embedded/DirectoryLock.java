package org.idallocator.service.embedded;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
    private final List<Identity> directories;

    private DirectoryLock(DataDirectory directory, boolean made, List<LockFile> locks) throws IOException {
        this.directory = directory;
        this.made = made;
        this.locks = locks;
        this.directories = List.of(Identity.of(directory.path()), Identity.of(directory.files()));
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
        try {
            requireUsable(directory, existing);
            Files.createDirectories(directory.path());
            return locked(directory);
        } catch (IOException | UncheckedIOException e) {
            throw new EmbeddedStartException(directory + " cannot be used: " + e, e);
        }
    }

    private static void requireUsable(DataDirectory directory, boolean existing) throws IOException {
        boolean data = directory.holdsData();
        if (existing && !data) {
            throw new EmbeddedStartException(directory + " holds no data: no service has run on it");
        }
        if (data && !Files.exists(directory.lock()) && !Files.exists(directory.innerLock())) {
            throw new EmbeddedStartException(directory
                    + " holds data but no lock file, so a process that still runs on it could not be seen; stop any, then"
                    + " create the empty file " + directory.lock());
        }
    }

    private static DirectoryLock locked(DataDirectory directory) throws IOException {
        List<LockFile> locks = new ArrayList<>();
        try {
            lock(directory, directory.lock(), locks);
            boolean made = !Files.exists(directory.zookeeper());
            Files.createDirectories(directory.files());
            lock(directory, directory.innerLock(), locks);
            return new DirectoryLock(directory, made, locks);
        } catch (IOException | RuntimeException e) {
            locks.forEach(lock -> AfterFailure.close(e, lock));
            throw e;
        }
    }

    private static void lock(DataDirectory directory, Path file, List<LockFile> locks) throws IOException {
        locks.add(LockFile.tryLock(file).orElseThrow(() -> new DirectoryInUseException(directory.path())));
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
            for (Identity each : directories) {
                each.verify(directory);
            }
            if (!directory.holdsData()) {
                throw new DirectoryLostException(directory + " has lost its data while it was in use");
            }
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
        directories.forEach(Identity::close);
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
                Files.delete(directory.zookeeper());
            }
        } catch (IOException e) {
            LOG.warn(
                    "an empty place for data is left in {}; the next start takes it for one that lost its data",
                    directory,
                    e);
        }
    }

    /** A directory's identity. The directory is kept open where the system allows that: then no other gets its number. */
    private record Identity(Path path, Object key, Closeable open) {
        static Identity of(Path path) throws IOException {
            return new Identity(path, LockFile.key(path), opened(path));
        }

        private static Closeable opened(Path path) {
            try {
                return FileChannel.open(path, StandardOpenOption.READ);
            } catch (IOException e) {
                LOG.debug("{} is not kept open: the system does not open directories", path, e);
                return () -> {};
            }
        }

        void verify(DataDirectory directory) throws IOException, DirectoryLostException {
            try {
                if (!LockFile.key(path).equals(key)) {
                    throw new DirectoryLostException(directory + " was replaced while it was in use: " + path);
                }
            } catch (NoSuchFileException e) {
                throw new DirectoryLostException(directory + " was removed while it was in use: " + path, e);
            }
        }

        void close() {
            try {
                open.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
