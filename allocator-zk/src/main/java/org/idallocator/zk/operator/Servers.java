package org.idallocator.zk.operator;

import com.google.common.net.HostAndPort;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.Connection;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers of the connect string, each on its own. A server is asked for a session, with the TLS and the credentials
 * of a replica: four-letter words may be off, and know no TLS. A server without a quorum gives none.
 */
final class Servers {
    private static final Logger LOG = LoggerFactory.getLogger(Servers.class);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final List<InetSocketAddress> servers;
    private final Function<String, Optional<String>> trouble;

    /**
     * Asks none yet.
     *
     * @param servers which they are
     * @param trouble says why the server at an address gives no session; empty where it does. Several threads ask at
     *     once
     */
    Servers(List<InetSocketAddress> servers, Function<String, Optional<String>> trouble) {
        this.servers = List.copyOf(servers);
        this.trouble = trouble;
    }

    /** Those of a configuration, by whose settings each of them is asked. */
    static Servers of(ZooKeeperSettings settings) {
        return new Servers(settings.servers(), address -> trouble(settings.withConnect(address)));
    }

    private static Optional<String> trouble(ZooKeeperSettings server) {
        try (Connection connection = Connection.open(server, PATIENCE)) {
            LOG.debug(
                    "{} gives session {}",
                    server.connect(),
                    connection.store().session().id());
            return Optional.empty();
        } catch (StoreException e) {
            LOG.debug("{} gives no session", server.connect(), e);
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** As a connect string has it: an IPv6 address is in brackets. */
    private static String address(InetSocketAddress server) {
        return HostAndPort.fromParts(server.getHostString(), server.getPort()).toString();
    }

    /** {@code remedy} is what to do where a server does not answer. */
    Finding look(String remedy) {
        List<String> addresses =
                servers.stream().map(Servers::address).distinct().toList();
        List<String> troubles = addresses.parallelStream() // one that does not answer takes 3 s
                .flatMap(address -> trouble.apply(address).stream())
                .toList();
        int answering = addresses.size() - troubles.size();
        String seen = answering + " of " + addresses.size()
                + (addresses.size() == 1 ? " server answers" : " servers answer")
                + (troubles.isEmpty() ? "" : ": " + String.join(", ", troubles));
        if (troubles.isEmpty()) {
            return Finding.ok(seen);
        }
        return answering > 0 ? Finding.warn(seen, remedy) : Finding.fail(seen, FenceReason.UNREACHABLE, remedy);
    }
}
