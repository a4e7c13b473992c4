package org.idallocator.service.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dropwizard.core.server.DefaultServerFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ReservedThreadExecutor;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many of a server's threads may answer requests. */
@ExtendWith(SharedService.class)
class ServerThreadsTest {

    /** What Jetty has put aside for connectors, and those that only its selectors call, which it tells when it has started. */
    @Test
    void shouldCountTheThreadsThatJettyTakes(RunningService service) {
        QueuedThreadPool pool = (QueuedThreadPool) service.support()
                .getEnvironment()
                .getApplicationContext()
                .getServer()
                .getThreadPool();
        ServerThreads threads =
                ServerThreads.of(service.support().getConfiguration().getServerFactory());

        assertEquals(pool.getMaxThreads(), threads.most());
        assertEquals(
                pool.getThreadPoolBudget().getLeasedThreads()
                        + pool.getBean(ReservedThreadExecutor.class).getCapacity(),
                threads.carrying());
    }

    /** Where nothing is configured. A server with very few threads answers one request at a time. */
    @ParameterizedTest
    @CsvSource({"1024, 768", "15, 2", "9, 1", "2147483647, 1610612736"})
    void shouldLetThreeQuartersAnswerAndFewerWhereFewAreLeft(int maxThreads, int requests) {
        DefaultServerFactory server = new DefaultServerFactory();
        server.setMaxThreads(maxThreads);

        assertEquals(requests, new LimitsSection().limits(server).requests());
        assertTrue(ServerThreads.of(server).forRequests() >= requests);
    }
}
