package org.idallocator.service.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.health.HealthCheckRegistry;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.api.Discretion;
import org.idallocator.service.cluster.ClusterWatch;
import org.idallocator.service.draw.BusyCounts;
import org.idallocator.service.draw.Limits;
import org.idallocator.service.draw.Places;
import org.idallocator.service.testing.ObedientSource;
import org.idallocator.zk.operator.FleetView;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the console refuses while others read IDs. */
class ConsoleServletTest {
    private final ObedientSource source = new ObedientSource();
    private final Places readings = Limits.DEFAULT.readingPlaces(new BusyCounts());
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);

    @BeforeEach
    void start() throws Exception {
        Console console = new Console(
                source,
                AllocatorSettings.of(Schemes.all(), ZooKeeperSettings.of("zk1:2181")),
                new HealthCheckRegistry(),
                Optional.empty(),
                new ClusterWatch(
                        () -> new FleetView(List.of(), List.of()), Optional::empty, task -> {}, Clock.system()));
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(
                new ServletHolder(ConsoleServlet.forEverybody(console, new Discretion(true), readings)), "/console/*");
        server.setHandler(context);
        server.addConnector(connector);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private HttpTester.Response read() throws Exception {
        return HttpTester.parseResponse(
                connector.getResponse("GET /console/read?id=9q7qmwq2222dhi22 HTTP/1.1\r\nHost: x\r\n\r\n"));
    }

    /** The console asks who holds a slot, as the routes do, and shares their places. */
    @Test
    void shouldReadSoManyIdsAtATimeAsTheRoutes() throws Exception {
        source.whenAskedForAHolder(() -> assertEquals(1, readings.taken()));
        assertEquals(200, read().getStatus());
        assertEquals(0, readings.taken());

        for (int i = 0; i < Limits.DEFAULT.readings(); i++) {
            readings.take();
        }
        HttpTester.Response refused = read();

        assertEquals(503, refused.getStatus());
        assertEquals("1", refused.get("Retry-After"));
        assertTrue(refused.getContent().contains("limits.readings"), refused.getContent());
    }
}
