package org.idallocator.service;

import io.dropwizard.core.setup.Environment;
import io.dropwizard.lifecycle.ServerLifecycleListener;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.console.NetworkPort;
import org.idallocator.service.resources.HttpApi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs how to try the service, as soon as it listens. */
final class Greeting implements ServerLifecycleListener {
    private static final Logger LOG = LoggerFactory.getLogger(Greeting.class);
    private static final String APPLICATION = """
                an ID       curl %1$s/ids/%3$s
                a thousand  curl '%1$s/ids/%3$s?count=1000'
                schemes     curl %1$s/ids
                ready?      curl '%2$s/health-check?name=all'
                console     %1$s/
            """;
    private static final String ADMIN = """
                metrics     curl %1$s/prometheus
                operators   %1$s/ (the console that drains, rotates and releases)
            """;
    private static final String ONE_MACHINE =
            "An embedded ZooKeeper keeps the IDs of one machine apart; several machines need one ensemble.\n";

    private final Environment environment;
    private final String scheme;
    private final String zookeeper;
    private final boolean embedded;

    /**
     * A greeting.
     *
     * @param environment where the routes are
     * @param schemes those that are served, one or more; the first is the example
     * @param zookeeper which ZooKeeper the service uses, in words
     * @param embedded whether that is an embedded one
     */
    Greeting(Environment environment, List<Scheme<?>> schemes, String zookeeper, boolean embedded) {
        this.environment = environment;
        this.scheme = schemes.get(0).name();
        this.zookeeper = zookeeper;
        this.embedded = embedded;
    }

    @Override
    public void serverStarted(Server server) {
        LOG.info(text(
                base(NetworkPort.application(server), environment.getApplicationContext()),
                base(NetworkPort.admin(server), environment.getAdminContext()),
                HttpApi.root(environment.jersey())));
    }

    private static Optional<String> base(Optional<NetworkPort> port, ServletContextHandler context) {
        String path = context.getContextPath();
        return port.map(found -> found.onThisMachine() + (path.equals("/") ? "" : path));
    }

    /**
     * What is logged.
     *
     * @param application what readiness is below; empty where the application has no port
     * @param admin what the metrics and the operators' console are below; empty where they have no port
     * @param root what comes before the paths of the routes, below the first: nothing, or such as {@code /api}
     */
    String text(Optional<String> application, Optional<String> admin, String root) {
        String calls = application
                        .map(base -> APPLICATION.formatted(base + root, base, scheme))
                        .orElse("")
                + admin.map(ADMIN::formatted).orElse("");
        return "The ID Allocator is running.\n\n" + (calls.isEmpty() ? "" : calls + "\n") + "It leases from "
                + zookeeper + ".\n" + (embedded ? ONE_MACHINE : "");
    }
}
