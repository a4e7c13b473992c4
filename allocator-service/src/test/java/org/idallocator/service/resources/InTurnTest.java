package org.idallocator.service.resources;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.idallocator.core.testing.HangGuard;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With one turn, who comes behind waits for it, and no longer than the patience. */
class InTurnTest {
    private static final Duration LONG = HangGuard.TIME;
    private static final String READING = "/ids/sno/9q7qmwq2222dhi22";

    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private final Slow slow = new Slow();

    /** Answers when it may, and does before that what the query says. */
    private static final class Slow extends Handler.Abstract {
        private final AtomicInteger begun = new AtomicInteger();
        private final Semaphore may = new Semaphore(0);

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            String first = Objects.requireNonNullElse(request.getHttpURI().getQuery(), "");
            switch (first) {
                case "writes" -> response.write(false, ByteBuffer.allocate(1), Callback.NOOP);
                case "reads" -> request.demand(() -> {});
                case "waits" -> ((Turn) Objects.requireNonNull(request.getAttribute(Turn.class.getName()))).end();
                default -> {}
            }
            begun.incrementAndGet();
            may.acquire();
            if (first.equals("fails")) {
                throw new IllegalStateException("as asked for");
            }
            callback.succeeded();
            return true;
        }
    }

    private InTurn oneTurn(Duration patience) throws Exception {
        InTurn turns = new InTurn(new LimitedPaths(() -> "/*", true), 1, patience);
        turns.setHandler(slow);
        server.setHandler(turns);
        connector.setIdleTimeout(HangGuard.TIME.toMillis());
        server.addConnector(connector);
        server.start();
        return turns;
    }

    @AfterEach
    void stop() throws Exception {
        slow.may.release(1_000);
        server.stop();
    }

    private CompletableFuture<String> ask(String path) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return connector.getResponse(
                                "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n", HangGuard.MINUTES, TimeUnit.MINUTES);
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                },
                task -> new Thread(task).start());
    }

    private void awaitBegun(int count) {
        await().until(() -> slow.begun.get() == count);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                READING,
                "/ids/sno?count=2",
                "/leases",
                "/ids",
                "/openapi.json",
                "/problems/busy",
                "/console/read?id=1",
                "/"
            })
    void shouldHaveOneAfterTheOtherAnswered(String path) throws Exception {
        InTurn turns = oneTurn(LONG);
        CompletableFuture<String> first = ask(READING);
        awaitBegun(1);
        CompletableFuture<String> second = ask(path);
        await().until(() -> turns.waiting() == 1);
        assertEquals(1, slow.begun.get());

        slow.may.release();
        assertTrue(first.get().startsWith("HTTP/1.1 200"));
        awaitBegun(2);
        slow.may.release();
        assertFalse(second.get().isEmpty());
    }

    /** What the program has beside the routes is its own. */
    @ParameterizedTest
    @ValueSource(strings = {"/health-check", "/of-the-program"})
    void shouldHaveOtherPathsGoOn(String path) throws Exception {
        oneTurn(LONG);
        CompletableFuture<String> first = ask(READING);
        awaitBegun(1);
        CompletableFuture<String> second = ask(path);

        awaitBegun(2);
        slow.may.release(2);
        assertFalse(first.get().isEmpty() || second.get().isEmpty());
    }

    /** A client that reads and sends slowly, or whose IDs are of a later tick, keeps nobody from having work done. */
    @ParameterizedTest
    @ValueSource(strings = {"writes", "reads", "waits"})
    void shouldEndATurnBeforeTheRequestWaits(String first) throws Exception {
        InTurn turns = oneTurn(LONG);
        CompletableFuture<String> waiting = ask(READING + "?" + first);
        awaitBegun(1);
        CompletableFuture<String> second = ask(READING);

        awaitBegun(2);
        CompletableFuture<String> third = ask(READING);
        await().until(() -> turns.waiting() == 1);
        assertEquals(2, slow.begun.get(), "what has ended its turn gives back no other one");
        slow.may.release(3);
        assertFalse(
                waiting.get().isEmpty() || second.get().isEmpty() || third.get().isEmpty());
    }

    /** Whatever keeps it. */
    @Test
    void shouldGoOnWithoutATurnWhenOthersKeepTheirs() throws Exception {
        oneTurn(Duration.ofMillis(1));
        CompletableFuture<String> first = ask(READING);
        awaitBegun(1);
        CompletableFuture<String> second = ask(READING);

        awaitBegun(2);
        slow.may.release(2);
        assertTrue(first.get().startsWith("HTTP/1.1 200") && second.get().startsWith("HTTP/1.1 200"));
    }

    @Test
    void shouldGiveATurnBackAfterAFailure() throws Exception {
        oneTurn(LONG);
        slow.may.release(2);

        assertTrue(ask(READING + "?fails").get().startsWith("HTTP/1.1 500"));
        assertTrue(ask(READING).get().startsWith("HTTP/1.1 200"));
    }
}
