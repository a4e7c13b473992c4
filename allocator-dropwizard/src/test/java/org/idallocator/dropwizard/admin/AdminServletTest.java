package org.idallocator.dropwizard.admin;

import static org.eclipse.jetty.ee10.servlet.ServletContextRequest.getServletContextRequest;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.idallocator.dropwizard.http.RequestPermit;
import org.idallocator.dropwizard.problems.Problems;
import org.idallocator.dropwizard.testing.Said;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a servlet of the admin port does about methods that it does not take, and about a thread that is interrupted.
 */
class AdminServletTest {
    /** How many permits are back. */
    private final AtomicInteger released = new AtomicInteger();

    /** How many permits were back when the operation began. */
    private final List<Integer> releasedBefore = new CopyOnWriteArrayList<>();

    private final AdminServlet servlet =
            new AdminServlet(EnumSet.of(HttpMethod.POST, HttpMethod.DELETE), (request, response) -> {
                releasedBefore.add(released.get());
                throw new InterruptedException();
            });
    private final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);

    @BeforeEach
    void start() throws Exception {
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(new ServletHolder(new Around()), "/");
        server.addConnector(connector);
        server.setHandler(context);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    /** Has the thread after the servlet, as its pool does. */
    private final class Around extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            RequestPermit.attach(getServletContextRequest(request), released::incrementAndGet);
            servlet.service(request, response);
            interrupted.complete(Thread.interrupted());
        }
    }

    private String answer(String method) throws Exception {
        return connector.getResponse(method + " / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }

    @Test
    void shouldListItsMethodsByTheirNamesWhenAnotherIsAskedFor() throws Exception {
        String refused = answer("delete");
        String options = answer("OPTIONS");

        assertTrue(refused.startsWith("HTTP/1.1 405 "), refused);
        assertTrue(refused.contains("\r\nAllow: DELETE, OPTIONS, POST\r\n"), refused);
        assertTrue(refused.contains("\"this path takes DELETE, OPTIONS, POST: delete\""), refused);
        assertTrue(options.startsWith("HTTP/1.1 200 "), options);
        assertTrue(options.contains("\r\nAllow: DELETE, OPTIONS, POST\r\n"), options);
    }

    /** An operation waits for ZooKeeper, or for callers to go elsewhere, which is no work. */
    @Test
    void shouldHoldNoPermitWhileItsOperationWaits() throws Exception {
        try (Said said = new Said(Problems.class)) {
            answer("POST");

            assertEquals(List.of(1), releasedBefore);
            assertEquals(1, said.lines().size());
        }
    }

    /** A thread is interrupted when its pool stops, which has to see that, too. */
    @Test
    void shouldLeaveTheThreadInterruptedWhenItsOperationWas() throws Exception {
        try (Said said = new Said(Problems.class)) {
            String failed = answer("POST");

            assertTrue(failed.startsWith("HTTP/1.1 500 "), failed);
            assertTrue(interrupted.join());
            assertEquals(1, said.lines().size());
        }
    }
}
