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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to use a directory, for one process at a time. It ends with the process, however that ends.
 *
 * <p>Two files are locked, one of them where nobody looks, so that a process is still seen when one was taken for a leftover
 * and removed. {@link #verify} makes such a file anew. A directory with data and without both files tells nothing about who
 * uses it, and is refused. Thread-safe.
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

    /** Creates the directory where there is none; throws {@link EmbeddedStartException} when it cannot be used. */
    static DirectoryLock on(Path path) {
        return on(new DataDirectory(path), false);
    }

    /** The same where data is; changes nothing and throws {@link EmbeddedStartException} where there is none. */
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
            locks.forEach(LockFile::close);
            throw e;
        }
    }

    private static void lock(DataDirectory directory, Path file, List<LockFile> locks) throws IOException {
        locks.add(LockFile.tryLock(file).orElseThrow(() -> new DirectoryInUseException(directory.path())));
    }

    DataDirectory directory() {
        return directory;
    }

    /** Whether there was nothing of a ZooKeeper in the directory before, not even an empty place for its data. */
    boolean made() {
        return made;
    }

    /**
     * Looks whether the directory is still the one that was locked, and makes a lock file anew that was removed.
     *
     * @throws DirectoryLostException when it is not, or another process has locked it
     * @throws UncheckedIOException when that cannot be said, or a file cannot be made, now
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

    /** Lets go. Where nothing was written, the empty places for data go as well: the next start finds none again. */
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

    /** A directory's identity. It is kept open where the system lets it be: its number is then not given to another. */
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
