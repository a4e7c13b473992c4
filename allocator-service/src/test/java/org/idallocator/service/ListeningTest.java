package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jetty.server.ServerConnector;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Where the admin port listens. */
@ExtendWith(SharedService.class)
class ListeningTest {
    /** Where the file says nothing of the server, and where it says where the port listens. */
    @Test
    void shouldListenForItsOwnMachineAloneUnlessToldOtherwise(RunningService service) {
        HttpConnectorFactory told = new HttpConnectorFactory();
        told.setBindHost("0.0.0.0");
        DefaultServerFactory server = new DefaultServerFactory();
        server.setAdminConnectors(List.of(told));
        AllocatorApplication.listenOnLoopback(server);

        assertEquals("0.0.0.0", told.getBindHost());
        assertEquals(
                List.of("127.0.0.1"),
                Stream.of(service.server().getConnectors())
                        .filter(connector -> "admin".equals(connector.getName()))
                        .map(connector -> ((ServerConnector) connector).getHost())
                        .toList());
    }
}
