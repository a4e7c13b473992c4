package org.idallocator.dropwizard.console;

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

    private ServerConnector added(String name, ConnectionFactory... factories) {
        ServerConnector connector = new ServerConnector(server, factories);
        connector.setName(name);
        server.addConnector(connector);
        return connector;
    }

    /** As a Unix socket does, the first connector has no port; and Dropwizard wraps what makes connections. */
    @Test
    void shouldBeThatOfTheFirstApplicationConnectorOnTheNetwork() throws IOException {
        server.addConnector(new LocalConnector(server));
        added("admin");
        assertEquals(new ApplicationPort("http", 0, "/"), ApplicationPort.of(server, "/"));
        assertEquals("/", ApplicationPort.of(server, "/").onThisMachine());

        ConnectionFactory tls = new SslConnectionFactory(new SslContextFactory.Server(), "http/1.1");
        ConnectionFactory measured = new InstrumentedConnectionFactory(tls, new Timer());
        try (ServerConnector application = added("application", measured, new HttpConnectionFactory())) {
            application.open();
            int port = application.getLocalPort();

            assertEquals(new ApplicationPort("https", port, "/console"), ApplicationPort.of(server, "/console"));
            assertEquals(
                    "https://localhost:" + port + "/",
                    ApplicationPort.of(server, "/").onThisMachine());
        }
    }
}
