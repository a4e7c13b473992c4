package org.idallocator.service.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.idallocator.service.failures.AfterFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file that one process at a time can lock. Not thread-safe, except for {@link #tryLock}. */
final class LockFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LockFile.class);

    /** The keys of the files that this process has locked: a second channel on one of them would end its lock when closed. */
    private static final Set<Object> HELD = new HashSet<>();

    private final Path path;
    private final FileChannel channel;
    private final Object key;

    private LockFile(Path path, FileChannel channel, Object key) {
        this.path = path;
        this.channel = channel;
        this.key = key;
    }

    /** Locks a file, which is made if need be; empty when this process or another has locked it already. */
    static Optional<LockFile> tryLock(Path path) throws IOException {
        synchronized (HELD) {
            if (Files.exists(path) && HELD.contains(key(path))) {
                return Optional.empty();
            }
            FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                if (channel.tryLock() != null) {
                    LockFile locked = new LockFile(path, channel, key(path));
                    HELD.add(locked.key);
                    return Optional.of(locked);
                }
            } catch (IOException | RuntimeException e) {
                AfterFailure.close(e, channel);
                throw e;
            }
            channel.close();
            return Optional.empty();
        }
    }

    /** Whether this process or another has locked a file. The file is not made. */
    static boolean isTaken(Path path) throws IOException {
        if (!Files.exists(path)) {
            return false;
        }
        Optional<LockFile> free = tryLock(path);
        free.ifPresent(LockFile::close);
        return free.isEmpty();
    }

    /** Tells a file from every other one, also from one that is made later under the same name. */
    static Object key(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return key == null ? path.toRealPath() : key; // null where a file that is open cannot be removed
    }

    Path path() {
        return path;
    }

    /** Whether the path still leads to the file that is locked. */
    boolean inPlace() throws IOException {
        try {
            return Files.exists(path, LinkOption.NOFOLLOW_LINKS) && key(path).equals(key);
        } catch (NoSuchFileException e) {
            LOG.debug("{} was removed this moment", path, e);
            return false;
        }
    }

    @Override
    public void close() {
        synchronized (HELD) {
            HELD.remove(key);
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
