package org.idallocator.service;

import io.dropwizard.lifecycle.ServerLifecycleListener;
import java.util.List;
import org.eclipse.jetty.server.Server;
import org.idallocator.core.scheme.Scheme;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs how to try the service, as soon as it listens. */
final class Greeting implements ServerLifecycleListener {
    private static final Logger LOG = LoggerFactory.getLogger(Greeting.class);
    private static final String TEXT = """
            The ID Allocator is running.

                an ID       curl http://localhost:%1$d/ids/%3$s
                a thousand  curl 'http://localhost:%1$d/ids/%3$s?count=1000'
                schemes     curl http://localhost:%1$d/ids
                ready?      curl 'http://localhost:%1$d/health-check?name=all'
                metrics     curl http://localhost:%2$d/prometheus

            It leases from %4$s.
            """;
    private static final String ONE_MACHINE =
            "An embedded ZooKeeper keeps the IDs of one machine apart; several machines need one ensemble.\n";

    private final String scheme;
    private final String zookeeper;
    private final boolean embedded;

    /**
     * A greeting.
     *
     * @param schemes those that are served, one or more; the first is the example
     * @param zookeeper which ZooKeeper the service uses, in words
     * @param embedded whether that is an embedded one
     */
    Greeting(List<Scheme<?>> schemes, String zookeeper, boolean embedded) {
        this.scheme = schemes.get(0).name();
        this.zookeeper = zookeeper;
        this.embedded = embedded;
    }

    @Override
    public void serverStarted(Server server) {
        LOG.info(text(getLocalPort(server), getAdminPort(server)));
    }

    /** What is logged of a service that listens on these ports. */
    String text(int port, int adminPort) {
        String text = TEXT.formatted(port, adminPort, scheme, zookeeper);
        return embedded ? text + ONE_MACHINE : text;
    }
}
