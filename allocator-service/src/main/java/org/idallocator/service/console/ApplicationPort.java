package org.idallocator.service.console;

import org.eclipse.jetty.server.Server;

/**
 * Where the console of the application port is, on the same host.
 *
 * @param protocol {@code http} or {@code https}
 * @param port 1..65535; 0 where no application port is on the network
 * @param path where the console is there
 */
public record ApplicationPort(String protocol, int port, String path) {

    /** The first application port of a server that listens, and the console there. */
    public static ApplicationPort of(Server server, String path) {
        return NetworkPort.application(server)
                .map(found -> new ApplicationPort(found.protocol(), found.port(), path))
                .orElseGet(() -> new ApplicationPort("http", 0, path));
    }
}
