package org.idallocator.dropwizard.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.idallocator.dropwizard.logging.AfterFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to run a ZooKeeper on a directory: a lock on the file {@code lock}, which one process at a time can have.
 * The lock ends with the process, however the process ends.
 *
 * <p>When somebody removes the lock file, only the process that has the lock makes it again, in {@link #ensureLocked}.
 * All other processes refuse to lock data without a lock file, because a process that they cannot see may be using the
 * data. Not thread-safe, except for the static methods.
 */
final class DirectoryLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryLock.class);

    /**
     * The keys of the files that this process has locked. A second channel on one of them would end the lock when it is
     * closed.
     */
    private static final Set<Object> HELD = new HashSet<>();

    private final DataDirectory directory;

    /**
     * The channels that hold the lock, by the keys of their files. Lock files that were removed stay locked: another
     * process may have opened one before and try to lock it, or somebody may put it back.
     */
    private final Map<Object, FileChannel> locked = new HashMap<>();

    private DirectoryLock(DataDirectory directory, Object key, FileChannel file) {
        this.directory = directory;
        locked.put(key, file);
    }

    /** The locked directory. */
    DataDirectory directory() {
        return directory;
    }

    /**
     * Locks a directory, and makes it if need be. Empty when a process has locked it already, this one included.
     *
     * @throws EmbeddedStartException when the directory has data but no lock file, or has the data of another ZooKeeper
     */
    static Optional<DirectoryLock> tryLock(DataDirectory directory) throws IOException {
        if (!Files.exists(directory.lock())) {
            makeLockFile(directory);
        }
        try {
            return tryLock(directory, directory.lock());
        } catch (NoSuchFileException e) { // somebody has just removed the file
            return Optional.empty();
        }
    }

    private static void makeLockFile(DataDirectory directory) throws IOException {
        if (directory.holdsData()) {
            throw new EmbeddedStartException(directory
                    + " holds data but no lock file, so a process that still runs on it could not be seen; stop any, then"
                    + " create the empty file " + directory.lock());
        }
        if (Files.exists(directory.foreignFiles())) {
            throw new EmbeddedStartException(directory + " cannot be used: " + directory.foreignFiles()
                    + " has the data of another ZooKeeper, which the embedded one would not read; its own are in"
                    + " zookeeper/version-2 below the directory");
        }
        Files.createDirectories(directory.path());
        try {
            Files.createFile(directory.lock());
        } catch (FileAlreadyExistsException e) { // another process has made it this moment: the two try for its lock
            LOG.debug("{} was made by another process", directory.lock(), e);
        }
    }

    /**
     * Locks a directory with data, and makes nothing. Empty when a process has locked it already.
     *
     * @throws EmbeddedStartException when the directory has no data
     */
    static Optional<DirectoryLock> tryLockExisting(DataDirectory directory) throws IOException {
        boolean begun = directory.holdsData() || Files.exists(directory.lock());
        Optional<DirectoryLock> free = begun ? tryLock(directory) : Optional.empty();
        if (begun && (free.isEmpty() || directory.holdsData())) {
            return free;
        }
        if (free.isPresent()) {
            free.get().close();
        }
        throw new EmbeddedStartException(directory + " holds no data: no service has run on it");
    }

    /**
     * Requires that a process has locked the directory. Makes nothing. Locks the directory for a moment, and therefore
     * removes an address that a killed process has left, because others would believe the address.
     *
     * @throws EmbeddedStartException when no process has locked the directory
     */
    static void requireTakenOrRemoveAddress(DataDirectory directory) throws IOException {
        Optional<DirectoryLock> free = tryLockExisting(directory);
        if (free.isPresent()) {
            Files.deleteIfExists(directory.address());
            free.get().close();
            throw new EmbeddedStartException("no ZooKeeper runs on " + directory + "; start the service (server)");
        }
    }

    private static Optional<DirectoryLock> tryLock(DataDirectory directory, Path file) throws IOException {
        synchronized (HELD) {
            Object key = DataDirectory.key(file);
            if (HELD.contains(key)) {
                return Optional.empty();
            }
            FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
            try {
                // The file may have been removed since it was opened, and its owner may just have ended.
                if (channel.tryLock() != null
                        && Files.exists(file)
                        && DataDirectory.key(file).equals(key)) {
                    HELD.add(key);
                    return Optional.of(new DirectoryLock(directory, key, channel));
                }
            } catch (IOException | RuntimeException e) {
                AfterFailure.close(e, channel);
                throw e;
            }
            channel.close();
            return Optional.empty();
        }
    }

    /**
     * Ensures that the lock file is there and locked. Makes and locks a new one where the file was removed.
     *
     * @throws DirectoryLostException when another process has locked a new lock file
     */
    void ensureLocked() throws IOException, DirectoryLostException {
        boolean there = Files.exists(directory.lock());
        if (there && locked.containsKey(DataDirectory.key(directory.lock()))) {
            return;
        }
        DirectoryLock anew = (there ? tryLock(directory, directory.lock()) : lockAnew())
                .orElseThrow(() -> new DirectoryLostException(
                        directory + " is in use by another process as well: it has locked a new " + directory.lock()));
        locked.putAll(anew.locked);
        LOG.warn("{} was removed while in use; it is there again and locked", directory.lock());
    }

    /**
     * Makes a new lock file. It is locked before it gets its name, because another process could lock it first
     * otherwise.
     */
    private Optional<DirectoryLock> lockAnew() throws IOException {
        Path beside = directory.path().resolve("lock.new");
        Files.deleteIfExists(beside);
        Files.createFile(beside);
        Optional<DirectoryLock> anew = tryLock(directory, beside);
        Files.move(beside, directory.lock(), StandardCopyOption.ATOMIC_MOVE);
        return anew;
    }

    @Override
    public void close() throws IOException {
        synchronized (HELD) {
            HELD.removeAll(locked.keySet());
            for (FileChannel each : locked.values()) {
                each.close();
            }
        }
    }
}
