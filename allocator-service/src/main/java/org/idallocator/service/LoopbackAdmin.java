package org.idallocator.service;

import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.jetty.HttpConnectorFactory;

/** Has the admin port listen for this machine alone, where the configuration does not say where it listens. */
final class LoopbackAdmin {
    private static final String LOOPBACK = "127.0.0.1";

    private LoopbackAdmin() {}

    static void in(ServerFactory server) {
        if (server instanceof DefaultServerFactory both) {
            both.getAdminConnectors().stream()
                    .filter(HttpConnectorFactory.class::isInstance)
                    .map(HttpConnectorFactory.class::cast)
                    .filter(connector -> connector.getBindHost() == null)
                    .forEach(connector -> connector.setBindHost(LOOPBACK));
        }
    }
}
