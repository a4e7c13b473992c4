package org.idallocator.service;

import io.dropwizard.core.setup.Environment;
import io.dropwizard.lifecycle.ServerLifecycleListener;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.resources.HttpApi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs how to try the service, as soon as it listens. */
final class Greeting implements ServerLifecycleListener {
    private static final Logger LOG = LoggerFactory.getLogger(Greeting.class);
    private static final String TEXT = """
            The ID Allocator is running.

                an ID       curl %1$s/ids/%4$s
                a thousand  curl '%1$s/ids/%4$s?count=1000'
                schemes     curl %1$s/ids
                ready?      curl '%2$s/health-check?name=all'
                metrics     curl %3$s/prometheus

            It leases from %5$s.
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
        String application = base(getLocalPort(server), environment.getApplicationContext());
        String admin = base(getAdminPort(server), environment.getAdminContext());
        LOG.info(text(application + HttpApi.root(environment.jersey()), application, admin));
    }

    private static String base(int port, ServletContextHandler context) {
        String path = context.getContextPath();
        return "http://localhost:" + port + (path.equals("/") ? "" : path);
    }

    /** What is logged of a service whose routes, readiness and metrics are below these addresses. */
    String text(String routes, String application, String admin) {
        String text = TEXT.formatted(routes, application, admin, scheme, zookeeper);
        return embedded ? text + ONE_MACHINE : text;
    }
}
