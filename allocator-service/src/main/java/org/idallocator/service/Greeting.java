package org.idallocator.service;

import io.dropwizard.lifecycle.ServerLifecycleListener;
import java.util.List;
import org.eclipse.jetty.server.Server;
import org.idallocator.core.scheme.Scheme;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says how to try the service, once it listens. */
final class Greeting implements ServerLifecycleListener {
    private static final Logger LOG = LoggerFactory.getLogger(Greeting.class);
    private static final String TEXT = """
            The ID Allocator is running.

                an ID       curl http://localhost:%1$d/ids/%3$s
                a thousand  curl 'http://localhost:%1$d/ids/%3$s?count=1000'
                schemes     curl http://localhost:%1$d/ids
                ready?      curl 'http://localhost:%1$d/health-check?name=all'
                metrics     curl http://localhost:%2$d/prometheus
            """;

    private final String scheme;

    /** Its example is the first of {@code schemes}, of which there is at least one. */
    Greeting(List<Scheme<?>> schemes) {
        scheme = schemes.get(0).name();
    }

    @Override
    public void serverStarted(Server server) {
        LOG.info(TEXT.formatted(getLocalPort(server), getAdminPort(server), scheme));
    }
}
