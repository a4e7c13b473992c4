package org.idallocator.zk.operator;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.Connection;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a server for a session, with the TLS and credentials that a replica has: four-letter words may be off, and know no TLS. A
 * server without a quorum gives none. Takes 4 s at most.
 */
record SessionProbe(ZooKeeperSettings settings) implements ServerProbe {
    private static final Logger LOG = LoggerFactory.getLogger(SessionProbe.class);
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    private static final int SOCKET_MILLIS = 1_000;
    private static final String CONFIGURATION = "/zookeeper/config";

    @Override
    public Answer ask(String address) {
        try (Connection connection = Connection.open(settings.withConnect(address), PATIENCE)) {
            return Answer.serving(configuration(connection.store()));
        } catch (StoreException e) {
            LOG.debug("{} gives no session", address, e);
            return Answer.silent(
                    e.kind() == StoreException.Kind.NO_TLS ? String.valueOf(e.getMessage()) : trouble(address));
        }
    }

    /** Some ensembles let nobody read it. */
    private static Optional<String> configuration(Store store) {
        try {
            return store.read(CONFIGURATION).map(Store.Node::data);
        } catch (StoreException e) {
            LOG.debug("the ensemble's configuration cannot be read", e);
            return Optional.empty();
        }
    }

    private static String trouble(String address) {
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon).replaceAll("[\\[\\]]", "");
        InetSocketAddress resolved = new InetSocketAddress(host, Integer.parseInt(address.substring(colon + 1)));
        if (resolved.isUnresolved()) {
            return "no host has this name";
        }
        try (Socket socket = new Socket()) {
            socket.connect(resolved, SOCKET_MILLIS);
            return "listens, but gives no session: too few servers for a quorum, or no ZooKeeper";
        } catch (IOException e) {
            LOG.debug("{} cannot be reached", address, e);
            return trouble(e);
        }
    }

    /** A port that refuses is told from a host that is away, and from a firewall that drops what it gets. */
    static String trouble(IOException why) {
        if (why instanceof SocketTimeoutException) {
            return "no answer within " + SOCKET_MILLIS + " ms: the host is down, or a firewall drops this";
        }
        return why instanceof ConnectException ? "nothing listens there" : "it cannot be reached: " + why.getMessage();
    }
}
