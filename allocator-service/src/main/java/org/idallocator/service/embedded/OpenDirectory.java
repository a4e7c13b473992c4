package org.idallocator.service.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A directory with data as it was when this process began to use it.
 *
 * @param key of the directory with the data
 * @param open keeps that directory open, so that no other one gets its inode, and with that its key
 */
record OpenDirectory(DataDirectory directory, Object key, DirectoryStream<Path> open) implements AutoCloseable {

    /** The directory as it is now. */
    @SuppressWarnings("StreamResourceLeak") // it stays open until this is closed
    static OpenDirectory of(DataDirectory directory) throws IOException {
        return new OpenDirectory(
                directory, DataDirectory.key(directory.files()), Files.newDirectoryStream(directory.files()));
    }

    /** Throws {@link DirectoryLostException} when the path leads to another directory now, or the data are gone. */
    void verify() throws IOException, DirectoryLostException {
        try {
            if (!DataDirectory.key(directory.files()).equals(key)) {
                throw new DirectoryLostException(directory + " was replaced while it was in use");
            }
        } catch (NoSuchFileException e) {
            throw new DirectoryLostException(directory + " was removed while it was in use");
        }
        if (!directory.holdsData()) {
            throw new DirectoryLostException(directory + " has lost its data while it was in use");
        }
    }

    @Override
    public void close() {
        try {
            open.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
