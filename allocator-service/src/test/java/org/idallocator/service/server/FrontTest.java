package org.idallocator.service.server;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dropwizard.jetty.MutableServletContextHandler;
import io.dropwizard.jetty.RoutingHandler;
import io.dropwizard.metrics.jetty12.ee10.InstrumentedEE10Handler;
import java.io.IOException;
import java.net.Socket;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.CrossOriginHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which handlers a request meets on the selector's thread, which must not wait, and what becomes of one that fails. */
class FrontTest {
    /** The handlers of this service, of Dropwizard and of Jetty that somebody has read: they wait for nothing. */
    private static final Set<String> READ = Set.of(
            SingleIdHandler.class.getName(),
            HeadHandler.class.getName(),
            "org.idallocator.dropwizard.resources.AnswerEndHandler",
            GracefulHandler.class.getName(),
            "io.dropwizard.jetty.ZipExceptionHandlingGzipHandler",
            RoutingHandler.class.getName(),
            InstrumentedEE10Handler.class.getName(),
            MutableServletContextHandler.class.getName(),
            RequestMetrics.class.getName(),
            CrossOriginHandler.class.getName(),
            BodyHandler.class.getName(),
            AdmissionHandler.class.getName(),
            HealthHandler.class.getName());

    private static final List<Class<? extends Handler.Singleton>> IN_FRONT =
            List.of(RequestMetrics.class, BodyHandler.class, AdmissionHandler.class, PermitHandler.class);

    private static final String ENDED = "/ended";

    @SuppressWarnings("NullAway.Init")
    private static RunningService failing;

    @BeforeAll
    static void start() {
        failing = RunningService.startObedient(server -> IN_FRONT.forEach(each ->
                Objects.requireNonNull(server.getDescendant(each)).insertHandler(new Failing(pathBehind(each)))));
    }

    @AfterAll
    static void stop() {
        failing.close();
    }

    private static String pathBehind(Class<?> handler) {
        return "/fails-behind-" + handler.getSimpleName();
    }

    private static final class Failing extends Handler.Wrapper {
        private final String path;

        Failing(String path) {
            this.path = path;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            if (Request.getPathInContext(request).equals(path)) {
                throw new IllegalStateException("broken by a test");
            }
            return super.handle(request, response, callback);
        }
    }

    /** Handlers that may wait, but for those that a pool of threads calls. */
    private static List<String> waiting(RunningService service) {
        return waiting(service.server().getHandler()).toList();
    }

    private static Stream<String> waiting(Handler at) {
        if (at instanceof PermitHandler) { // the pool calls what is below
            return Stream.of();
        }
        List<Handler> below = at instanceof Handler.Container all ? all.getHandlers() : List.of();
        String name = at.getClass().getName();
        boolean safe = READ.contains(name) && !below.isEmpty();
        return Stream.concat(
                safe ? Stream.of() : Stream.of(name), below.stream().flatMap(FrontTest::waiting));
    }

    @Test
    @ExtendWith(SharedService.class)
    void shouldWaitForNothingOnASelectorsThread(RunningService service) {
        assertEquals(List.of(), waiting(service));
    }

    @Test
    void shouldWaitForNothingWhenOtherOriginsAreAllowed() {
        try (RunningService service =
                RunningService.start(ObedientApplication.class, "cors.allowedOrigins=https://pages.example")) {
            assertNotNull(service.server().getDescendant(CrossOriginHandler.class));
            assertEquals(List.of(), waiting(service));
        }
    }

    @Test
    @ExtendWith(SharedService.class)
    void shouldAcceptConnectionsOfBothPortsAtAPace(RunningService service) {
        Connector[] ports = service.server().getConnectors();

        assertEquals(2, ports.length);
        for (Connector port : ports) {
            assertNotNull(((ServerConnector) port).getBean(AcceptPace.class));
        }
    }

    @Test
    void shouldNameEachHandlerThatNobodyHasRead() {
        int aboveThePool = IN_FRONT.size() - 1;

        assertEquals(Collections.nCopies(aboveThePool, Failing.class.getName()), waiting(failing));
    }

    private static Stream<Arguments> requests() {
        return IN_FRONT.stream()
                .flatMap(handler -> Stream.of(
                        Arguments.of(handler, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"),
                        Arguments.of(handler, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab")));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void shouldAnswer500AndLoseNothingWhenWhatIsBehindThrows(Class<?> handler, String request) throws IOException {
        try (Socket client = failing.asking(request.formatted(pathBehind(handler)))) {
            String answer = Http.answer(client.getInputStream());
            assertTrue(answer.startsWith("HTTP/1.1 500 "), answer);
        }

        await("every place is free").until(() -> failing.taken(Limit.REQUESTS) == 0);
        await("every permit is free").until(() -> FreePermits.of(failing) == RunningService.PERMITS);
        assertEquals(0, failing.taken(Limit.BODIES));
    }

    /** In front of {@link AdmissionHandler}, which Jetty then does not tell of the end. */
    private static final class AlreadyEnded extends Handler.Wrapper {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            return super.handle(
                    Request.getPathInContext(request).equals(ENDED) ? ended(request) : request, response, callback);
        }

        private static Request ended(Request request) {
            return new Request.Wrapper(request) {
                @Override
                public void addHttpStreamWrapper(Function<HttpStream, HttpStream> wrapper) {
                    throw new IllegalStateException("ended by a test");
                }
            };
        }
    }

    @Test
    void shouldLoseNoPlaceWhenARequestHasEndedBeforeItsAdmission() throws IOException {
        try (RunningService service = RunningService.startObedient(server ->
                Objects.requireNonNull(server.getDescendant(BodyHandler.class)).insertHandler(new AlreadyEnded()))) {
            try (Socket client = service.asking("GET " + ENDED + " HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
                String answer = Http.answer(client.getInputStream());
                assertTrue(answer.startsWith("HTTP/1.1 500 "), answer);
            }
            assertEquals(0, service.taken(Limit.REQUESTS));
        }
    }
}
