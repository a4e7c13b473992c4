package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import java.io.IOException;
import java.net.BindException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A start that fails at a port says which key mends that. */
class TakenPortTest {
    private final HttpConnectorFactory connector = new HttpConnectorFactory();

    private String told(String bindHost, String why) {
        DefaultServerFactory server = new DefaultServerFactory();
        connector.setPort(8443);
        connector.setBindHost(bindHost);
        server.setApplicationConnectors(List.of(connector));
        Exception failure = new IOException(
                "Failed to bind to /" + bindHost + ":8443",
                new BindException(why)); // as Jetty and the system have them
        return String.valueOf(TakenPort.in(server, failure).orElseThrow().getMessage());
    }

    @Test
    void shouldNameThePortThatIsTaken() {
        assertEquals(
                "port 8443 cannot be listened on: Address already in use; stop what listens there, or change"
                        + " server.applicationConnectors[0].port",
                told("127.0.0.1", "Address already in use"));
    }

    /** 192.0.2.0/24 is nobody's. */
    @Test
    void shouldNameTheHostThatIsAnothers() {
        assertEquals(
                "port 8443 cannot be listened on: Cannot assign requested address; 192.0.2.1 is no address of this machine,"
                        + " change server.applicationConnectors[0].bindHost",
                told("192.0.2.1", "Cannot assign requested address"));
    }

    @Test
    void shouldSayThatAnotherPortIsAllowed() {
        assertEquals(
                "port 8443 cannot be listened on: Permission denied; this user may not listen there, change"
                        + " server.applicationConnectors[0].port",
                told("127.0.0.1", "Permission denied"));
    }
}
