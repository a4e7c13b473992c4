package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dropwizard.core.setup.Environment;
import org.idallocator.core.scheme.Schemes;
import org.junit.jupiter.api.Test;

class GreetingTest {
    private static final String ONE_MACHINE =
            "An embedded ZooKeeper keeps the IDs of one machine apart; several machines need one ensemble.";

    private static String text(boolean embedded) {
        return new Greeting(new Environment("test"), Schemes.all(), "ZooKeeper 127.0.0.1:61000, in /home/ada", embedded)
                .text("http://localhost:8080/api", "http://localhost:8080", "http://localhost:8081");
    }

    @Test
    void shouldSayHowToTryTheServiceAndWhereItLeases() {
        assertTrue(text(false).contains("curl http://localhost:8080/api/ids/sno\n"), text(false));
        assertTrue(text(false).contains("curl 'http://localhost:8080/health-check?name=all'\n"), text(false));
        assertTrue(text(false).contains("curl http://localhost:8081/prometheus\n"), text(false));
        assertTrue(text(false).contains("It leases from ZooKeeper 127.0.0.1:61000, in /home/ada.\n"), text(false));
        assertFalse(text(false).contains(ONE_MACHINE), text(false));
    }

    @Test
    void shouldSayThatAnEmbeddedZooKeeperIsForOneMachine() {
        assertTrue(text(true).contains(ONE_MACHINE), text(true));
    }
}
