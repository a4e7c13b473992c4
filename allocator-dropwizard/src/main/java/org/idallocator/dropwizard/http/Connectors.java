package org.idallocator.dropwizard.http;

import org.eclipse.jetty.server.Connector;

/** What Dropwizard and Jetty tell of a connector by names alone. */
public final class Connectors {
    /** The name that Dropwizard gives to connectors of the admin port. */
    private static final String ADMIN = "admin";

    /** The name by which Jetty knows its TLS factory, even when Dropwizard's measuring factory wraps it. */
    private static final String TLS = "SSL";

    private Connectors() {}

    /** Whether a connector is one of the admin port. */
    public static boolean isOfAdminPort(Connector connector) {
        return ADMIN.equals(connector.getName());
    }

    /** Whether TLS is spoken on a connector. */
    public static boolean speaksTls(Connector connector) {
        return connector.getConnectionFactory(TLS) != null;
    }
}
