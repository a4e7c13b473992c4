package org.idallocator.dropwizard.console;

import java.util.Arrays;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;

/**
 * Where a page of the application port is, on the same host. A server may have no application port on the network, for
 * example only a Unix socket.
 *
 * @param protocol {@code http} or {@code https}
 * @param port 1..65535; 0 where no application port is on the network
 * @param path the page's path
 */
public record ApplicationPort(String protocol, int port, String path) {
    /** The name that Dropwizard gives to connectors of the admin port. */
    private static final String ADMIN = "admin";

    /** The name by which Jetty knows its TLS factory, even when Dropwizard's measuring factory wraps it. */
    private static final String TLS = "SSL";

    /** The first application port on the network of a server that has started. */
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
     * The URL on this machine, such as {@code http://localhost:8080/}; the path alone where no application port is on
     * the network.
     */
    public String onThisMachine() {
        return port == 0 ? path : protocol + "://localhost:" + port + path;
    }
}
