package org.idallocator.service.embedded;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where things are in a directory of the embedded ZooKeeper.
 *
 * @param path the directory itself, {@code zookeeper.embedded.dataDir}
 */
record DataDirectory(Path path) {

    /** What an operator sees, and may take for a leftover: locked while a process uses the directory. */
    Path lock() {
        return path.resolve("lock");
    }

    /** ZooKeeper's own {@code dataDir}. */
    Path zookeeper() {
        return path.resolve("zookeeper");
    }

    /** Locked as well, so that a process is still seen when {@link #lock} was removed. */
    Path innerLock() {
        return zookeeper().resolve("lock");
    }

    /** Where ZooKeeper puts its snapshots and logs. */
    Path files() {
        return zookeeper().resolve("version-2");
    }

    /** Whether a ZooKeeper has ever written down anything here, which then is still here. */
    boolean holdsData() throws IOException {
        if (!Files.isDirectory(files())) {
            return false;
        }
        try (DirectoryStream<Path> data = Files.newDirectoryStream(files(), "{snapshot,log}.*")) {
            return data.iterator().hasNext();
        }
    }

    @Override
    public String toString() {
        return "zookeeper.embedded.dataDir " + path;
    }
}
