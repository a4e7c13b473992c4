package org.idallocator.service;

import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.core.server.SimpleServerFactory;
import io.dropwizard.jetty.ConnectorFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.service.cli.terminal.CommandException;

/** Puts into words that a port cannot be listened on: which one, why not, and by which key of the configuration it is chosen. */
final class TakenPort {
    private TakenPort() {}

    /** What to tell of a server that does not start; empty when that has another cause. */
    static Optional<Exception> in(ServerFactory server, Exception failure) {
        return Stream.<Throwable>iterate(failure, thrown -> thrown != null, Throwable::getCause)
                .filter(BindException.class::isInstance)
                .findFirst()
                .map(bind -> new CommandException(sentence(server, failure, bind), failure));
    }

    /** Jetty names the address, such as {@code Failed to bind to /0.0.0.0:8080}, and the system why not. */
    private static String sentence(ServerFactory server, Exception failure, Throwable bind) {
        String address = Stream.<Throwable>iterate(failure, thrown -> thrown != null, Throwable::getCause)
                .map(thrown -> String.valueOf(thrown.getMessage()))
                .filter(message -> message.matches(".*:[0-9]+"))
                .findFirst()
                .orElse("");
        String port = address.substring(address.lastIndexOf(':') + 1);
        List<String> keys = keys(server, port);
        return (port.isEmpty() ? "a port" : "port " + port) + " cannot be listened on: " + bind.getMessage()
                + "; stop what listens there, or change "
                + (keys.isEmpty() ? "it below server" : String.join(" or ", keys));
    }

    private static List<String> keys(ServerFactory server, String port) {
        List<String> keys = new ArrayList<>();
        if (server instanceof DefaultServerFactory both) {
            addKeys(keys, "server.applicationConnectors", both.getApplicationConnectors(), port);
            addKeys(keys, "server.adminConnectors", both.getAdminConnectors(), port);
        } else if (server instanceof SimpleServerFactory one && has(one.getConnector(), port)) {
            keys.add("server.connector.port");
        }
        return keys;
    }

    private static void addKeys(List<String> keys, String key, List<ConnectorFactory> connectors, String port) {
        for (int i = 0; i < connectors.size(); i++) {
            if (has(connectors.get(i), port)) {
                keys.add(key + "[" + i + "].port");
            }
        }
    }

    private static boolean has(ConnectorFactory connector, String port) {
        return connector instanceof HttpConnectorFactory http
                && Integer.toString(http.getPort()).equals(port);
    }
}
