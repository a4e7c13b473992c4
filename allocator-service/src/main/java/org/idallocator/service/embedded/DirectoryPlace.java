package org.idallocator.service.embedded;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells whether a directory that this process uses is still the one that it was. Thread-safe. */
final class DirectoryPlace implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryPlace.class);

    private final DataDirectory directory;
    private final List<Seen> seen;

    private DirectoryPlace(DataDirectory directory, List<Seen> seen) {
        this.directory = directory;
        this.seen = seen;
    }

    /** The directory as it is now. */
    static DirectoryPlace of(DataDirectory directory) throws IOException {
        return new DirectoryPlace(directory, List.of(Seen.at(directory.path()), Seen.at(directory.files())));
    }

    /** Throws {@link DirectoryLostException} when it is another directory, or has lost its data. */
    void verify() throws IOException, DirectoryLostException {
        for (Seen each : seen) {
            each.verify(directory);
        }
        if (!directory.holdsData()) {
            throw new DirectoryLostException(directory + " has lost its data while it was in use");
        }
    }

    @Override
    public void close() {
        seen.forEach(Seen::close);
    }

    /** One directory. It is kept open where the system allows that: then no other gets its number. */
    private record Seen(Path path, Object key, Closeable open) {
        static Seen at(Path path) throws IOException {
            return new Seen(path, LockFile.key(path), opened(path));
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
