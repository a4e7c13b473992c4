package org.idallocator.service.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The places in a directory of the embedded ZooKeeper.
 *
 * @param path the directory itself, {@code zookeeper.embedded.dataDir}
 */
record DataDirectory(Path path) {

    /** The file that a process locks while it uses the directory. Operators see it, and may take it for a leftover. */
    Path lock() {
        return path.resolve("lock");
    }

    /** The directory that ZooKeeper calls {@code dataDir}. */
    Path zookeeper() {
        return path.resolve("zookeeper");
    }

    /** A second file that is locked, so that a process is still noticed when {@link #lock} was removed. */
    Path innerLock() {
        return zookeeper().resolve("lock");
    }

    /** The directory of ZooKeeper's snapshots and logs. */
    Path files() {
        return zookeeper().resolve("version-2");
    }

    /** What the directory is known by; see {@link Identity}. */
    Path identity() {
        return zookeeper().resolve("identity.json");
    }

    /** Where the ZooKeeper serves that runs on the directory; see {@link Address}. */
    Path address() {
        return path.resolve("server.json");
    }

    /** What processes lock that use the ZooKeeper and do not run it; see {@link Guests}. */
    Path guests() {
        return path.resolve("guests");
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

    /** Work on the files of a directory. */
    interface Work<T> {
        T run() throws IOException;
    }

    /** Runs what looks at the directory; throws {@link EmbeddedStartException} when the files do not let it. */
    <T> T look(Work<T> work) {
        return run(work, "looked at");
    }

    /** Runs what begins to use the directory; throws {@link EmbeddedStartException} when the files do not let it. */
    <T> T use(Work<T> work) {
        return run(work, "used");
    }

    private <T> T run(Work<T> work, String done) {
        try {
            return work.run();
        } catch (IOException | UncheckedIOException e) {
            throw new EmbeddedStartException(this + " cannot be " + done + ": " + e, e);
        }
    }

    @Override
    public String toString() {
        return "zookeeper.embedded.dataDir " + path;
    }
}
