package org.idallocator.service.resources;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import com.codahale.metrics.annotation.ResponseMeteredLevel;
import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.core.server.SimpleServerFactory;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.jetty.MutableServletContextHandler;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.service.draw.BusyCounts;
import org.idallocator.service.draw.Counts;
import org.idallocator.service.draw.Dispenser;
import org.idallocator.service.draw.DrawListener;
import org.idallocator.service.draw.Limits;
import org.idallocator.service.metrics.RequestMetrics;
import org.idallocator.service.testing.ObedientSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which requests are answered before they come to the application's context, and how they are counted. */
class ExpressFrontTest {
    private static final String PREFIX = MutableServletContextHandler.class.getName();

    /** The length of an answer with a sno and a newline. */
    private static final int SNO_BYTES = 17;

    private final MetricRegistry registry = new MetricRegistry();
    private final ObedientSource source = new ObedientSource();
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private final PrometheusRegistry counted = new PrometheusRegistry();
    private final ExpressLane lane = new ExpressLane(
            new Dispenser(source, name -> DrawListener.NONE, Limits.DEFAULT, new BusyCounts()),
            Counts.of(source.schemes(), Map.of()),
            new RouteCounts(new RequestMetrics(counted), () -> null));
    private final ExpressFront front = new ExpressFront(lane, request -> false, Runnable::run);

    @BeforeEach
    void start() throws Exception {
        registry.meter(PREFIX + ".2xx-responses");
        connector.setName(ExpressFront.APPLICATION);
        front.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Content.Sink.write(response, true, "behind", callback);
                return true;
            }
        });
        server.addConnector(connector);
        server.setHandler(front);
        server.start();
        lane.open("");
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private boolean available = true;

    private void open(boolean varies) {
        open(varies, SNO_BYTES);
    }

    private void open(boolean varies, long leastCompressed) {
        PassedCounts counts =
                PassedCounts.of(new DefaultServerFactory(), registry).orElseThrow();
        front.open(new ExpressFront.Passed(() -> available, counts, varies, leastCompressed));
    }

    private String answer(String... headers) throws Exception {
        String lines = String.join("", Stream.of(headers).map(h -> h + "\r\n").toList());
        return connector.getResponse("GET /ids/sno HTTP/1.1\r\nHost: x\r\n" + lines + "\r\n");
    }

    private static boolean isId(String answer) {
        return answer.contains("\r\n\r\n") && answer.strip().matches("(?s).*\\n[2-9a-x]{16}");
    }

    @Test
    void shouldAnswerAndCountPlainRequests() throws Exception {
        open(false);

        assertTrue(isId(answer()));
        assertTrue(isId(answer("Accept: text/plain")));

        Timer last = registry.timer(PREFIX + ".get-requests"); // of what hears of a request, after its answer was sent
        await().until(() -> last.getCount() == 2);
        assertEquals(2, registry.timer(PREFIX + ".requests").getCount());
        assertEquals(2, registry.timer(PREFIX + ".dispatches").getCount());
        assertEquals(2, registry.meter(PREFIX + ".2xx-responses").getCount());
        assertEquals(0, registry.counter(PREFIX + ".active-requests").getCount());
        assertEquals(0, registry.counter(PREFIX + ".active-dispatches").getCount());
    }

    private double requests(String status) {
        return counted.scrape(name -> name.equals("id_allocator_http_requests")).stream()
                .flatMap(metric -> ((CounterSnapshot) metric).getDataPoints().stream())
                .filter(point -> point.getLabels()
                        .equals(Labels.of("method", "GET", "route", "/ids/{scheme}", "status", status)))
                .mapToDouble(CounterSnapshot.CounterDataPointSnapshot::getValue)
                .sum();
    }

    @Test
    void shouldCountByTheRoute() throws Exception {
        open(false);

        assertTrue(isId(answer()));

        await().until(() -> requests("200") == 1);
        assertEquals(0, requests("aborted"));
    }

    /** The client has gone, and its connection takes no answer. */
    @Test
    void shouldCountAsAbortedWhatCouldNotBeSent() throws Exception {
        server.stop();
        server.setHandler(new Handler.Wrapper(front) {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                return super.handle(request, new Broken(request, response), callback);
            }
        });
        server.start();
        open(false);

        connector.getResponse("GET /ids/sno HTTP/1.1\r\nHost: x\r\n\r\n");

        await().until(() -> requests("aborted") == 1);
        assertEquals(0, requests("200"));
    }

    /** An answer that cannot be written. */
    private static final class Broken extends Response.Wrapper {
        Broken(Request request, Response response) {
            super(request, response);
        }

        @Override
        public void write(boolean last, ByteBuffer content, Callback callback) {
            callback.failed(new EofException("gone"));
        }
    }

    @Test
    void shouldLetPassWhatTheContextDoesNotServeNow() throws Exception {
        open(false);
        available = false;
        assertFalse(isId(answer()));
        available = true;
        assertTrue(isId(answer()));
    }

    @Test
    void shouldVaryByOriginWhereTheContextDoes() throws Exception {
        open(true);

        assertTrue(answer().contains("Vary: Accept, Origin\r\n"));
    }

    @Test
    void shouldLetPassWhatIsNotOfTheApplication() throws Exception {
        open(false);
        connector.setName("admin");

        assertTrue(answer().endsWith("behind"));
    }

    @Test
    void shouldLetPassWhatMayBeCompressed() throws Exception {
        open(false);

        assertTrue(answer("Accept-Encoding: gzip").endsWith("behind"));
        assertTrue(answer("Accept-Encoding: gzip", "Accept: application/json").endsWith("behind"));

        open(false, SNO_BYTES + 1);
        assertTrue(isId(answer("Accept-Encoding: gzip")));
    }

    @Test
    void shouldLetPassWhatTheLaneDoesNotAnswerAndCountNothing() throws Exception {
        open(false);
        source.fence("sno", FenceReason.DEADLINE_PASSED);

        assertTrue(answer().endsWith("behind"));

        assertEquals(0, registry.timer(PREFIX + ".requests").getCount());
    }

    @Test
    void shouldLetAllPassUntilOpened() throws Exception {
        assertTrue(answer().endsWith("behind"));
    }

    @Test
    void shouldCountUnderTheServersPrefix() {
        ServerFactory factory = new DefaultServerFactory() {
            @Override
            public String getMetricPrefix() {
                return "jetty";
            }
        };
        assertEquals(Optional.empty(), PassedCounts.of(factory, registry));
        registry.meter("jetty.2xx-responses");
        assertTrue(PassedCounts.of(factory, registry).isPresent());
    }

    /** Such servers also count each status by itself, or in a way that is not known. */
    @Test
    void shouldLeaveToTheContextWhatIsCountedOtherwise() {
        for (ResponseMeteredLevel level : ResponseMeteredLevel.values()) {
            ServerFactory factory = new SimpleServerFactory() {
                @Override
                public ResponseMeteredLevel getResponseMeteredLevel() {
                    return level;
                }
            };
            assertEquals(
                    level == ResponseMeteredLevel.COARSE,
                    PassedCounts.of(factory, registry).isPresent());
        }
        ServerFactory own = new ServerFactory() {
            @Override
            public Server build(Environment environment) {
                return server;
            }

            @Override
            public void configure(Environment environment) {}
        };
        assertEquals(Optional.empty(), PassedCounts.of(own, registry));
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
                assertTrue(looked.await(HangGuard.MINUTES, TimeUnit.MINUTES), "the selector goes on meanwhile");
                inside.decrementAndGet();
                callback.succeeded();
                return true;
            }
        });
        Predicate<Request> noRoom = request -> {
            looked.countDown();
            return true;
        };
        crowded.insertHandler(new ExpressFront(lane, noRoom, crowded.getThreadPool()));
        crowded.insertHandler(new ExpressGate());
        ServerConnector connector = new ServerConnector(crowded, 1, 1);
        connector.setHost("127.0.0.1");
        connector.setIdleTimeout(HangGuard.TIME.toMillis());
        crowded.addConnector(connector);
        crowded.start();
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < clients; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
                socket.setSoTimeout((int) HangGuard.TIME.toMillis());
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
}
