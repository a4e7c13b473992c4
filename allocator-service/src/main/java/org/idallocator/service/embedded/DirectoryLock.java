package org.idallocator.service.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The right to use a directory, for one process at a time. It ends with the process, however that ends. */
final class DirectoryLock implements AutoCloseable {
    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Creates the directory where there is none; throws {@link EmbeddedStartException} when it is in use. */
    static DirectoryLock on(Path directory) {
        try {
            Files.createDirectories(directory);
            return locked(
                    directory,
                    FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
        } catch (IOException e) {
            throw new EmbeddedStartException("zookeeper.embedded.dataDir " + directory + " cannot be used: " + e, e);
        }
    }

    private static DirectoryLock locked(Path directory, FileChannel channel) throws IOException {
        if (tryLock(channel) == null) {
            channel.close();
            throw new DirectoryInUseException(directory);
        }
        return new DirectoryLock(channel);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
