package org.idallocator.service.embedded;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.idallocator.zk.settings.ZooKeeperSettings;

/**
 * What the data in a directory are known by, in a file beside the data that lasts as long as they do. Only the process that has
 * locked the directory writes it.
 *
 * <p>A copy of the directory is not the directory: what is said of one is not true of the other. So the file names the place for
 * which it was written, and at any other place it counts as absent.
 *
 * @param version of this payload, 1
 * @param identity a random name, which no other directory has
 * @param place the file system's own number of the directory with the data
 * @param port the port on which a ZooKeeper served last; 0 before the first has
 */
record Identity(int version, String identity, String place, int port) {
    private static final int VERSION = 1;

    /** Throws {@link IllegalArgumentException} where the port is none. */
    Identity {
        if (port < 0 || port > ZooKeeperSettings.LARGEST_PORT) {
            throw new IllegalArgumentException("port must be 0.." + ZooKeeperSettings.LARGEST_PORT + ": " + port);
        }
    }

    /** The identity of a directory; empty when the directory has none yet. */
    static Optional<Identity> read(DataDirectory directory) throws IOException {
        Optional<Identity> written = JsonFile.read(directory.identity(), Identity.class);
        return written.isPresent() && written.get().place.equals(place(directory)) ? written : Optional.empty();
    }

    /** Whether the data were written at another place: the directory is a copy, or was restored or moved to another disk. */
    static boolean ofAnotherPlace(DataDirectory directory) throws IOException {
        Optional<Identity> written = JsonFile.read(directory.identity(), Identity.class);
        return written.isPresent() && !written.get().place.equals(place(directory));
    }

    /** The identity of a directory, or a new one, which is not written yet. */
    static Identity readOrMake(DataDirectory directory) throws IOException {
        Optional<Identity> written = read(directory);
        return written.isPresent()
                ? written.get()
                : new Identity(VERSION, UUID.randomUUID().toString(), place(directory), 0);
    }

    /** The identity of a directory whose ZooKeeper this process has used at an address. */
    static Identity of(DataDirectory directory, Address used) throws IOException {
        return new Identity(VERSION, used.identity(), place(directory), used.port());
    }

    private static String place(DataDirectory directory) throws IOException {
        return LockFile.key(directory.zookeeper()).toString();
    }

    /** The same, where a ZooKeeper serves on a port now. */
    Identity on(int servingPort) {
        return new Identity(version, identity, place, servingPort);
    }

    void write(DataDirectory directory) throws IOException {
        JsonFile.write(directory.identity(), this);
    }
}
