package org.idallocator.service;

import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.core.server.SimpleServerFactory;
import io.dropwizard.jetty.ConnectorFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.service.cli.terminal.CommandException;
import org.jspecify.annotations.Nullable;

/** Puts into words that a port cannot be listened on: which one, why not, and by which key of the configuration it is chosen. */
final class TakenPort {
    /** What the system says of a port that only root may listen on. */
    private static final String FORBIDDEN = "Permission denied";

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
        String what =
                (port.isEmpty() ? "a port" : "port " + port) + " cannot be listened on: " + bind.getMessage() + "; ";
        Map<String, HttpConnectorFactory> there = new TreeMap<>(connectors(server));
        there.values().removeIf(each -> !Integer.toString(each.getPort()).equals(port));
        Map<String, HttpConnectorFactory> elsewhere = new TreeMap<>(there);
        elsewhere.values().removeIf(each -> !isOfAnother(each.getBindHost()));
        if (!elsewhere.isEmpty()) {
            return what
                    + elsewhere.entrySet().stream()
                            .map(each -> each.getValue().getBindHost() + " is no address of this machine, change "
                                    + each.getKey() + ".bindHost")
                            .collect(Collectors.joining("; "));
        }
        String keys = there.keySet().stream().map(key -> key + ".port").collect(Collectors.joining(" or "));
        return what
                + (FORBIDDEN.equals(bind.getMessage())
                        ? "this user may not listen there, change "
                        : "stop what listens there, or change ")
                + (keys.isEmpty() ? "it below server" : keys);
    }

    private static Map<String, HttpConnectorFactory> connectors(ServerFactory server) {
        Map<String, HttpConnectorFactory> byKey = new TreeMap<>();
        if (server instanceof DefaultServerFactory both) {
            addAll(byKey, "server.applicationConnectors", both.getApplicationConnectors());
            addAll(byKey, "server.adminConnectors", both.getAdminConnectors());
        } else if (server instanceof SimpleServerFactory one
                && one.getConnector() instanceof HttpConnectorFactory http) {
            byKey.put("server.connector", http);
        }
        return byKey;
    }

    private static void addAll(Map<String, HttpConnectorFactory> byKey, String key, List<ConnectorFactory> connectors) {
        for (int i = 0; i < connectors.size(); i++) {
            if (connectors.get(i) instanceof HttpConnectorFactory http) {
                byKey.put(key + "[" + i + "]", http);
            }
        }
    }

    /** Whether a host is known, and its address is none of this machine's. */
    private static boolean isOfAnother(@Nullable String host) {
        if (host == null) {
            return false;
        }
        try {
            InetAddress address = InetAddress.getByName(host);
            return !address.isAnyLocalAddress() && NetworkInterface.getByInetAddress(address) == null;
        } catch (IOException e) {
            return false;
        }
    }
}
