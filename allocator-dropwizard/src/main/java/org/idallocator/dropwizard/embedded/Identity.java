package org.idallocator.dropwizard.embedded;

import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The identity of the data in a directory, in a file that lies beside the data. Only the owner of the directory's lock
 * writes the file.
 *
 * <p>A copy of a directory must not pass for the original. So the file names the place for which it was written, and
 * counts as absent at any other place.
 *
 * @param version the version of this payload, 1
 * @param identity a random name, which no other directory has
 * @param place the file key of the directory with the data
 * @param port the port on which a ZooKeeper served last, or is to serve first
 */
record Identity(int version, String identity, String place, int port) {
    private static final Logger LOG = LoggerFactory.getLogger(Identity.class);
    private static final int VERSION = 1;
    private static final String COPY =
            " is a copy or a backup, because its data were written in another directory: IDs come"
                    + " twice if a process has run on the original since the copy was made; let none run there, and run fence-restore"
                    + " here before IDs are drawn. Nothing is to be done where nobody has copied anything, and disks have other numbers"
                    + " since a restart";

    /** The identity of a directory; empty when the directory has none yet. */
    static Optional<Identity> read(DataDirectory directory) throws IOException {
        Optional<Identity> written = JsonFile.read(directory.identity(), Identity.class);
        return written.isPresent() && written.get().place.equals(place(directory)) ? written : Optional.empty();
    }

    /**
     * The identity of a directory, or a new one, which is not written yet. Alerts the operator when the directory is a
     * copy.
     */
    static Identity readOrMake(DataDirectory directory) throws IOException {
        Optional<Identity> known = read(directory);
        if (known.isPresent()) {
            return known.get();
        }
        if (JsonFile.read(directory.identity(), Identity.class).isPresent()) {
            OperatorAlert.raise(LOG, Level.WARN, directory + COPY);
        }
        return of(directory, Address.of(UUID.randomUUID().toString(), EmbeddedServer.anyPort()));
    }

    /** The identity of a directory whose ZooKeeper serves at an address. */
    static Identity of(DataDirectory directory, Address serving) throws IOException {
        return new Identity(VERSION, serving.identity(), place(directory), serving.port());
    }

    private static String place(DataDirectory directory) throws IOException {
        return DataDirectory.key(directory.zookeeper()).toString();
    }
}
