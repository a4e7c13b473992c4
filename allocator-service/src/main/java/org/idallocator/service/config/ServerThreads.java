package org.idallocator.service.config;

import io.dropwizard.core.server.AbstractServerFactory;
import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.core.server.SimpleServerFactory;
import io.dropwizard.jetty.ConnectorFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import java.util.List;
import java.util.stream.Stream;

/**
 * The threads of a server. Some of them only carry requests to the others, and some are kept for health checks, for the admin port and
 * for the program's other paths; the rest may answer requests for the routes. Immutable.
 *
 * @param most {@code server.maxThreads}
 * @param carrying how many Jetty takes for connectors and their selectors, and to have threads at hand for these alone
 */
record ServerThreads(int most, int carrying) {
    /** As many as Dropwizard keeps alive. */
    private static final int KEPT = 8;

    /** Dropwizard's default. */
    private static final int USUAL = 1_024;

    /** One for each port. */
    private static final List<ConnectorFactory> USUAL_CONNECTORS =
            List.of(new HttpConnectorFactory(), new HttpConnectorFactory());

    private static final int ACCEPTORS = 1;
    private static final int THREADS_OF_SELECTOR = 16;
    private static final int THREADS_AT_HAND = 8;

    /** Those of a server that a program makes in its own way are Dropwizard's defaults. */
    static ServerThreads of(ServerFactory server) {
        int most = server instanceof AbstractServerFactory made ? made.getMaxThreads() : USUAL;
        int processors = Runtime.getRuntime().availableProcessors();
        int selectors = Math.max(1, Math.min(processors / 2, most / THREADS_OF_SELECTOR));
        int ofConnectors = connectors(server).stream()
                .mapToInt(connector -> ofConnector(connector, selectors))
                .sum();
        return new ServerThreads(most, ofConnectors + atHand(processors, most));
    }

    private static List<ConnectorFactory> connectors(ServerFactory server) {
        if (server instanceof DefaultServerFactory both) {
            return Stream.concat(both.getApplicationConnectors().stream(), both.getAdminConnectors().stream())
                    .toList();
        }
        return server instanceof SimpleServerFactory one ? List.of(one.getConnector()) : USUAL_CONNECTORS;
    }

    private static int ofConnector(ConnectorFactory connector, int selectors) {
        return connector instanceof HttpConnectorFactory http
                ? http.getAcceptorThreads().orElse(ACCEPTORS)
                        + http.getSelectorThreads().orElse(selectors)
                : ACCEPTORS + selectors;
    }

    /** A power of two, as Jetty has it. */
    private static int atHand(int processors, int most) {
        int least = Math.min(processors, most / THREADS_AT_HAND);
        return least <= 1 ? 1 : Integer.highestOneBit(least - 1) << 1;
    }

    /** How many requests for the routes may be answered at a time, 1 or more. */
    int forRequests() {
        return Math.max(1, most - reserved());
    }

    /** How many threads are none of those. */
    int reserved() {
        return carrying + KEPT;
    }
}
