package org.idallocator.service.console;

import java.util.Arrays;
import java.util.Optional;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;

/**
 * A port of a server that listens. A connector may also be a Unix socket, or another that is not on the network, and has none.
 *
 * @param protocol {@code http} or {@code https}
 * @param port 1..65535
 */
public record NetworkPort(String protocol, int port) {
    /** What Dropwizard calls the connectors of the admin port. */
    private static final String ADMIN = "admin";

    /** What Jetty calls the protocol of its factory of TLS, also behind Dropwizard's factory that measures. */
    private static final String TLS = "SSL";

    /** The first application port; empty where none is on the network. */
    public static Optional<NetworkPort> application(Server server) {
        return Arrays.stream(server.getConnectors())
                .filter(connector -> !ADMIN.equals(connector.getName()))
                .filter(NetworkConnector.class::isInstance)
                .map(NetworkConnector.class::cast)
                .findFirst()
                .map(connector -> new NetworkPort(protocol(connector), connector.getLocalPort()));
    }

    private static String protocol(NetworkConnector connector) {
        return connector.getConnectionFactory(TLS) == null ? "http" : "https";
    }

    /** What an address on this machine begins with: {@code http://localhost:8080}. */
    public String onThisMachine() {
        return protocol + "://localhost:" + port;
    }
}
