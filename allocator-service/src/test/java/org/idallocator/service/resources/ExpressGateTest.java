package org.idallocator.service.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On whose thread a server calls its handlers: what stands before the gate, or hears of every request, may wait. */
class ExpressGateTest {
    private final Server server = new Server();

    @BeforeEach
    void insertGate() {
        server.insertHandler(new HandOver());
        server.insertHandler(new ExpressGate(request -> false, server.getThreadPool()));
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

    /** While one of them is answered, the selector takes all others, and no thread but one is theirs. */
    @Test
    void shouldLetInOneAfterTheOtherWhereThereIsNoRoom() throws Exception {
        int clients = 8;
        CountDownLatch looked = new CountDownLatch(clients);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger mostInside = new AtomicInteger();
        Server crowded = new Server();
        crowded.setHandler(new Handler.Abstract.NonBlocking() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                mostInside.accumulateAndGet(inside.incrementAndGet(), Math::max);
                assertTrue(Invocable.isNonBlockingInvocation(), "what may wait is handed over all the same");
                assertTrue(looked.await(30, TimeUnit.SECONDS), "the selector goes on meanwhile");
                inside.decrementAndGet();
                callback.succeeded();
                return true;
            }
        });
        Predicate<Request> noRoom = request -> {
            looked.countDown();
            return true;
        };
        crowded.insertHandler(new ExpressGate(noRoom, crowded.getThreadPool()));
        ServerConnector connector = new ServerConnector(crowded, 1, 1);
        connector.setHost("127.0.0.1");
        crowded.addConnector(connector);
        crowded.start();
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < clients; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
                socket.setSoTimeout(30_000);
                sockets.add(socket);
                socket.getOutputStream()
                        .write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
            }
            for (Socket socket : sockets) {
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
            }
            assertEquals(1, mostInside.get());
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
            crowded.stop();
        }
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
            socket.setSoTimeout(30_000);
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
