package org.idallocator.service.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.util.Optional;
import org.idallocator.zk.operator.EmbeddedMark;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * How other processes find the ZooKeeper that this process runs on a directory. The process that has the directory's lock gives
 * notice: an {@link Address} in a file, and an {@link EmbeddedMark} in ZooKeeper by which the others see that the address is
 * true. Not thread-safe.
 */
final class Notice {
    private static final Logger LOG = LoggerFactory.getLogger(Notice.class);
    private static final String COPY =
            " is a copy or a backup, because its data were written in another directory: IDs come"
                    + " twice if a process has run on the original since the copy was made; let none run there, and run fence-restore"
                    + " here before IDs are drawn. Nothing is to be done where nobody has copied anything, and disks have other numbers"
                    + " since a restart";

    private final DataDirectory directory;
    private final Identity identity;
    private final Replica process = Replica.local();

    private Notice(DataDirectory directory, Identity identity) {
        this.directory = directory;
        this.identity = identity;
    }

    /** To be called right after the directory was locked: removes what an earlier process has left. */
    static Notice begin(DataDirectory directory) throws IOException {
        Files.deleteIfExists(directory.address());
        Guests.tidy(directory);
        if (Identity.ofAnotherPlace(directory)) {
            Aloud.say(LOG, Level.WARN, directory + COPY);
        }
        return new Notice(directory, Identity.readOrMake(directory));
    }

    /** The same for a process that goes on with a ZooKeeper whose address it has used: the mark is in its data already. */
    static Notice goOn(DataDirectory directory, Address used) throws IOException {
        Files.deleteIfExists(directory.address());
        return new Notice(directory, Identity.of(directory, used));
    }

    /** The address for clients on this machine: {@code host:port}. */
    static String connect(int port) {
        return Address.connect(InetAddress.getLoopbackAddress(), port);
    }

    /** What the directory is known by, with the port on which its ZooKeeper served last. */
    Identity identity() {
        return identity;
    }

    /**
     * Marks the ZooKeeper that serves on a port as that of this directory, and remembers the port.
     *
     * @throws UnreachableException when the ZooKeeper does not take the mark
     */
    void mark(int port) throws IOException {
        identity.on(port).write(directory);
        new EmbeddedMark(identity.identity(), process.host(), directory.path().toString())
                .write(ZooKeeperSettings.of(connect(port)).withoutLogin());
    }

    /** Tells where the ZooKeeper serves, and of what directory, unless that is told already. */
    void publish(int port) throws IOException {
        if (Identity.read(directory).isEmpty()) {
            identity.on(port).write(directory);
        }
        Address address = Address.of(process, connect(port), identity);
        if (!JsonFile.read(directory.address(), Address.class).equals(Optional.of(address))) {
            JsonFile.write(directory.address(), address);
        }
    }

    /** Tells it no more. */
    void withdraw() {
        try {
            Files.deleteIfExists(directory.address());
        } catch (IOException e) {
            LOG.warn("{} is left behind; whoever reads it finds that it is not true any more", directory.address(), e);
        }
    }
}
