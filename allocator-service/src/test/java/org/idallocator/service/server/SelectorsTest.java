package org.idallocator.service.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SelectorsTest {
    private static final int JETTY_TAKES = Runtime.getRuntime().availableProcessors() / 2;

    private static Optional<Integer> selectors(Optional<Integer> configured) {
        HttpConnectorFactory connector = new HttpConnectorFactory();
        connector.setSelectorThreads(configured);
        DefaultServerFactory server = new DefaultServerFactory();
        server.setApplicationConnectors(List.of(connector));
        Selectors.setLeast(server);
        return connector.getSelectorThreads();
    }

    @Test
    void shouldHaveTwoWhereJettyWouldHaveOne() {
        assertTrue(selectors(Optional.empty()).orElse(JETTY_TAKES) >= 2);
    }

    @Test
    void shouldLeaveWhatIsConfigured() {
        assertEquals(Optional.of(1), selectors(Optional.of(1)));
    }
}
