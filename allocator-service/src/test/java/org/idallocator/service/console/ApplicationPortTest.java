package org.idallocator.service.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.Timer;
import io.dropwizard.metrics.jetty12.InstrumentedConnectionFactory;
import java.io.IOException;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.Test;

class ApplicationPortTest {
    private final Server server = new Server();

    private ServerConnector added(String name, ServerConnector connector) {
        connector.setName(name);
        server.addConnector(connector);
        return connector;
    }

    /** As a Unix socket does, the first connector has no port. */
    @Test
    void shouldPassOverWhatHasNoPort() throws IOException {
        server.addConnector(new LocalConnector(server));
        added("admin", new ServerConnector(server));
        try (ServerConnector application = added("application", new ServerConnector(server))) {
            application.open();

            assertEquals(
                    new ApplicationPort("http", application.getLocalPort(), "/console"),
                    ApplicationPort.of(server, "/console"));
        }
    }

    @Test
    void shouldSayWhereNoApplicationPortIsOnTheNetwork() {
        added("admin", new ServerConnector(server));

        assertEquals(new ApplicationPort("http", 0, "/"), ApplicationPort.of(server, "/"));
        assertEquals("/", ApplicationPort.of(server, "/").onThisMachine());
    }

    /** As Dropwizard wraps what makes connections. */
    private static ConnectionFactory measured(ConnectionFactory factory) {
        return new InstrumentedConnectionFactory(factory, new Timer());
    }

    @Test
    void shouldKnowTls() throws IOException {
        SslConnectionFactory tls = new SslConnectionFactory(new SslContextFactory.Server(), "http/1.1");
        try (ServerConnector application =
                added("application", new ServerConnector(server, measured(tls), new HttpConnectionFactory()))) {
            application.open();

            assertEquals(
                    "https://localhost:" + application.getLocalPort() + "/",
                    ApplicationPort.of(server, "/").onThisMachine());
        }
    }
}
