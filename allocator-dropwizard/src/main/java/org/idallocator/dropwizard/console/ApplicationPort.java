package org.idallocator.dropwizard.console;

import java.util.Arrays;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;

/**
 * Where something of the application port is, on the same host. A connector may also be a Unix socket, or another that
 * is not on the network, and has no port.
 *
 * @param protocol {@code http} or {@code https}
 * @param port 1..65535; 0 where no application port is on the network
 * @param path where it is there
 */
public record ApplicationPort(String protocol, int port, String path) {
    /** What Dropwizard calls the connectors of the admin port. */
    private static final String ADMIN = "admin";

    /** What Jetty calls the protocol of its factory of TLS, also behind Dropwizard's factory that measures. */
    private static final String TLS = "SSL";

    /** The first application port of a server that listens. */
    public static ApplicationPort of(Server server, String path) {
        return Arrays.stream(server.getConnectors())
                .filter(connector -> !ADMIN.equals(connector.getName()))
                .filter(NetworkConnector.class::isInstance)
                .map(NetworkConnector.class::cast)
                .findFirst()
                .map(connector -> new ApplicationPort(protocol(connector), connector.getLocalPort(), path))
                .orElseGet(() -> new ApplicationPort("http", 0, path));
    }

    private static String protocol(NetworkConnector connector) {
        return connector.getConnectionFactory(TLS) == null ? "http" : "https";
    }

    /**
     * The address on this machine, {@code http://localhost:8080/}; the path alone where no application port is on the
     * network.
     */
    public String onThisMachine() {
        return port == 0 ? path : protocol + "://localhost:" + port + path;
    }
}
