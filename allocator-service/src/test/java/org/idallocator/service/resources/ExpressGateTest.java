package org.idallocator.service.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.idallocator.core.testing.HangGuard;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On whose thread a server calls its handlers: what stands before the gate, or hears of every request, may wait. */
class ExpressGateTest {
    private final Server server = new Server();

    @BeforeEach
    void insertGate() {
        server.insertHandler(new HandOver());
        server.insertHandler(new ExpressGate());
    }

    @Test
    void shouldBeCalledOnTheSelectorsThreadWhenItIsOutermost() {
        assertEquals(InvocationType.NON_BLOCKING, server.getInvocationType());
    }

    @Test
    void shouldNotBeCalledOnTheSelectorsThreadBehindAnotherHandler() {
        server.insertHandler(new Handler.Wrapper());

        assertEquals(InvocationType.BLOCKING, server.getInvocationType());
    }

    /** As Jetty does itself, and with no answer at all: an error would say that something is wrong with the service or the request. */
    @Test
    void shouldCloseTheConnectionWhenThePoolTakesNoMore() throws Exception {
        AtomicBoolean full = new AtomicBoolean();
        AtomicInteger rejected = new AtomicInteger();
        Executor pool = task -> {
            if (full.get()) {
                rejected.incrementAndGet();
                throw new RejectedExecutionException("full");
            }
            server.getThreadPool().execute(task);
        };
        ServerConnector connector = new ServerConnector(server, pool, null, null, 1, 1, new HttpConnectionFactory());
        connector.setHost("127.0.0.1");
        CountDownLatch opened = new CountDownLatch(1);
        connector.addBean(new Connection.Listener() {
            @Override
            public void onOpened(Connection connection) {
                opened.countDown();
            }
        });
        server.addConnector(connector);
        server.start();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort())) {
            socket.setSoTimeout((int) HangGuard.TIME.toMillis());
            opened.await();
            full.set(true); // from now on only the request needs a thread
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

            assertEquals("", new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
            assertTrue(rejected.get() > 0);
        } finally {
            full.set(false);
            server.stop();
        }
    }

    @Test
    void shouldNotBeCalledOnTheSelectorsThreadWhereThereIsALog() {
        server.setRequestLog((request, response) -> {});

        assertEquals(InvocationType.BLOCKING, server.getInvocationType());
    }
}
