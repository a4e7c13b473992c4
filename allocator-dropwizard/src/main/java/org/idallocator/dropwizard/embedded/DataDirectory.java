package org.idallocator.dropwizard.embedded;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Objects;

/**
 * The files and directories in the data directory of the embedded ZooKeeper.
 *
 * @param path the data directory itself, {@code zookeeper.embedded.dataDir}
 */
record DataDirectory(Path path) {

    /** The lock file. The process that runs the ZooKeeper has it locked. */
    Path lock() {
        return path.resolve("lock");
    }

    /** The file that says where the ZooKeeper serves; see {@link Address}. */
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

    /**
     * The directory in which a ZooKeeper of another program would have its files, and the embedded one would not look.
     */
    Path foreignFiles() {
        return path.resolve("version-2");
    }

    /** The file that names the data; see {@link Identity}. */
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

    /**
     * When somebody last made, removed or replaced something where this is: in the directory, or where there is none,
     * in the nearest directory above it. What is mounted over it, and what replaces a directory above it, changes
     * nothing.
     */
    Instant lastChange() throws IOException {
        Path there = path.toAbsolutePath();
        while (!Files.exists(there)) {
            there = Objects.requireNonNull(there.getParent(), "a file system has a root");
        }
        Instant ofLink = changed(there, LinkOption.NOFOLLOW_LINKS);
        Instant ofDirectory = changed(there);
        return ofLink.isAfter(ofDirectory) ? ofLink : ofDirectory;
    }

    /** When a file was last changed, as the system counts it: also when it got its name. Nobody can set this time. */
    private static Instant changed(Path file, LinkOption... options) throws IOException {
        boolean known = file.getFileSystem().supportedFileAttributeViews().contains("unix");
        return known
                ? ((FileTime) Files.getAttribute(file, "unix:ctime", options)).toInstant()
                : Files.getLastModifiedTime(file, options).toInstant();
    }

    /** How many bytes this process can still write to the disk; 0 where the directory is gone. */
    long freeBytes() {
        return path.toFile().getUsableSpace();
    }

    /**
     * A key that differs between any two files or directories, also between a removed one and its successor of the same
     * name.
     */
    static Object key(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return key == null ? path.toRealPath() : key; // null on systems where an open file cannot be removed
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
