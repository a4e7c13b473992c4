package org.idallocator.service.console;

import java.util.Arrays;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;

/**
 * Where the console of the application port is, on the same host.
 *
 * @param protocol {@code http} or {@code https}
 * @param port 1..65535; 0 where no application port is on the network
 * @param path where the console is there
 */
public record ApplicationPort(String protocol, int port, String path) {
    /** What Jetty calls the protocol of its factory of TLS, also behind Dropwizard's factory that measures. */
    private static final String TLS = "SSL";

    /** What Dropwizard calls the connectors of the admin port. */
    private static final String ADMIN = "admin";

    /** The first application port of a server that listens, and the console there. A port may also be a Unix socket. */
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
}
