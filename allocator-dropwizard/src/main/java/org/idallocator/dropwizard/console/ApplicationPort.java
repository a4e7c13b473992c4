package org.idallocator.dropwizard.console;

import java.util.Arrays;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;
import org.idallocator.dropwizard.http.Connectors;

/**
 * Where a page of the application port is, on the same host. A server may have no application port on the network, for
 * example only a Unix socket.
 *
 * @param protocol {@code http} or {@code https}
 * @param port 1..65535; 0 where no application port is on the network
 * @param path the page's path
 */
public record ApplicationPort(String protocol, int port, String path) {
    /** The first application port on the network of a server that has started. */
    public static ApplicationPort of(Server server, String path) {
        return Arrays.stream(server.getConnectors())
                .filter(connector -> !Connectors.isOfAdminPort(connector))
                .filter(NetworkConnector.class::isInstance)
                .map(NetworkConnector.class::cast)
                .findFirst()
                .map(connector -> new ApplicationPort(protocol(connector), connector.getLocalPort(), path))
                .orElseGet(() -> new ApplicationPort("http", 0, path));
    }

    private static String protocol(NetworkConnector connector) {
        return Connectors.speaksTls(connector) ? "https" : "http";
    }

    /**
     * The URL on this machine, such as {@code http://localhost:8080/}; the path alone where no application port is on
     * the network.
     */
    public String onThisMachine() {
        return port == 0 ? path : protocol + "://localhost:" + port + path;
    }
}
