package org.idallocator.dropwizard.embedded;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The places in a directory of the embedded ZooKeeper.
 *
 * @param path the directory itself, {@code zookeeper.embedded.dataDir}
 */
record DataDirectory(Path path) {

    /** The file that the process locks that runs the ZooKeeper. */
    Path lock() {
        return path.resolve("lock");
    }

    /** Where the ZooKeeper serves that runs on the directory; see {@link Address}. */
    Path address() {
        return path.resolve("server.json");
    }

    /** The directory that ZooKeeper calls {@code dataDir}. */
    Path zookeeper() {
        return path.resolve("zookeeper");
    }

    /** The directory of ZooKeeper's snapshots and logs. */
    Path files() {
        return zookeeper().resolve("version-2");
    }

    /** What another ZooKeeper would have here, and so has {@link #zookeeper} itself. */
    Path foreignFiles() {
        return path.resolve("version-2");
    }

    /** What the directory is known by; see {@link Identity}. */
    Path identity() {
        return zookeeper().resolve("identity.json");
    }

    /** Whether the directory holds anything that a ZooKeeper has written. */
    boolean holdsData() throws IOException {
        if (!Files.isDirectory(files())) {
            return false;
        }
        try (DirectoryStream<Path> data = Files.newDirectoryStream(files(), "{snapshot,log}.*")) {
            return data.iterator().hasNext();
        }
    }

    /** How many bytes the disk has for this process; 0 where there is no such directory any more. */
    long freeBytes() {
        return path.toFile().getUsableSpace();
    }

    /** Tells a file or directory from every other one that exists, also from a later one under the same name. */
    static Object key(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return key == null ? path.toRealPath() : key; // null where a file that is open cannot be removed
    }

    /** Work on the files of a directory. */
    interface Work<T> {
        T run() throws IOException;
    }

    @Override
    public String toString() {
        return "zookeeper.embedded.dataDir " + path;
    }
}
