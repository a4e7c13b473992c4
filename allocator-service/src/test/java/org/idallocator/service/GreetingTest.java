package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dropwizard.core.setup.Environment;
import java.util.Optional;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.idallocator.core.scheme.Schemes;
import org.junit.jupiter.api.Test;

class GreetingTest {
    private static final String ONE_MACHINE =
            "An embedded ZooKeeper keeps the IDs of one machine apart; several machines need one ensemble.";

    private static String text(boolean embedded) {
        return greeting(embedded)
                .text(Optional.of("http://localhost:8080"), Optional.of("http://localhost:8081"), "/api");
    }

    private static Greeting greeting(boolean embedded) {
        return new Greeting(
                new Environment("test"), Schemes.all(), "ZooKeeper 127.0.0.1:61000, in /home/ada", embedded);
    }

    @Test
    void shouldSayHowToTryTheServiceAndWhereItLeases() {
        assertTrue(text(false).contains("curl http://localhost:8080/api/ids/sno\n"), text(false));
        assertTrue(text(false).contains("curl 'http://localhost:8080/health-check?name=all'\n"), text(false));
        assertTrue(text(false).contains("curl http://localhost:8081/prometheus\n"), text(false));
        assertTrue(text(false).contains("    console     http://localhost:8080/api/\n"), text(false));
        assertTrue(text(false).contains("    operators   http://localhost:8081/ ("), text(false));
        assertTrue(text(false).contains("It leases from ZooKeeper 127.0.0.1:61000, in /home/ada.\n"), text(false));
        assertFalse(text(false).contains(ONE_MACHINE), text(false));
    }

    @Test
    void shouldSayThatAnEmbeddedZooKeeperIsForOneMachine() {
        assertTrue(text(true).contains(ONE_MACHINE), text(true));
    }

    /** As a Unix socket, the only connector may have no port. */
    @Test
    void shouldLeaveOutWhatHasNoAddress() {
        assertEquals(
                "The ID Allocator is running.\n\nIt leases from ZooKeeper 127.0.0.1:61000, in /home/ada.\n",
                greeting(false).text(Optional.empty(), Optional.empty(), ""));
    }

    @Test
    void shouldGreetWhereTheFirstConnectorHasNoPort() throws Exception {
        Environment environment = new Environment("test");
        environment.jersey().setUrlPattern("/*");
        Server server = new Server();
        server.addConnector(new LocalConnector(server));
        server.addConnector(new ServerConnector(server));

        assertDoesNotThrow(() -> new Greeting(environment, Schemes.all(), "here", false).serverStarted(server));
    }
}
