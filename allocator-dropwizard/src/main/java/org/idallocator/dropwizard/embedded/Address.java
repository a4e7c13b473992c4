package org.idallocator.dropwizard.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.apache.zookeeper.common.X509Exception;
import org.eclipse.jetty.util.HostPort;
import org.idallocator.core.id.BadValueException;
import org.idallocator.zk.settings.Replica;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the ZooKeeper of a directory serves. The owner of the directory's lock publishes the address in a file beside
 * the lock. When the owner is killed, its file stays until the next owner deletes it.
 *
 * @param version the version of this payload, 1
 * @param connect {@code host:port} on the loopback interface; an IPv6 host stands in brackets
 * @param pid the owner's process ID
 * @param host the name of the owner's machine when the owner started, for people
 * @param identity the directory's {@link Identity#identity}
 */
record Address(int version, String connect, long pid, String host, String identity) {
    private static final int VERSION = 1;
    private static final Replica PROCESS = Replica.local();
    private static final Logger LOG = LoggerFactory.getLogger(Address.class);

    /** How long a ZooKeeper on this machine may take to answer. */
    private static final Duration ANSWERS = Duration.ofSeconds(1);

    /** Throws {@link BadValueException} where {@code connect} is no address with a port 1..65535. */
    Address {
        if (!new HostPort(connect).hasPort()) {
            throw new BadValueException("connect", "must be host:port: " + connect);
        }
    }

    /** The address of a ZooKeeper that this process runs. */
    static Address of(String identity, int port) {
        HostPort connect = new HostPort(InetAddress.getLoopbackAddress().getHostAddress(), port);
        return new Address(VERSION, connect.toString(), PROCESS.pid(), PROCESS.host(), identity);
    }

    int port() {
        return new HostPort(connect).getPort();
    }

    /**
     * Whether this process can reach the ZooKeeper, because both are on one machine. Equal host names say so, without a
     * question, because a paused owner does not answer. Where the names differ, the machine may have been renamed since
     * the owner started. Then an answer says so, because only processes of one machine share the loopback interface.
     */
    boolean isOnThisMachine() {
        return host.equals(PROCESS.host()) || answers();
    }

    /**
     * Whether any ZooKeeper answers at the address. Whose data it has does not matter here, because each connection of
     * a client begins with their identity.
     */
    private boolean answers() {
        String loopback = new HostPort(connect).getHost();
        try {
            return FourLetterWordMain.send4LetterWord(loopback, port(), "srvr", false, (int) ANSWERS.toMillis())
                    .startsWith("Zookeeper version");
        } catch (IOException | X509Exception.SSLContextException e) {
            LOG.debug("no ZooKeeper answers at {}", connect, e);
            return false;
        }
    }
}
