package org.idallocator.service.drawing;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Progress;
import org.idallocator.core.testing.Proof;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.testing.Gate;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.idallocator.service.server.FreePermits;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Clients that go away at any point of a request, in order or by a reset, leave nothing behind: all permits and all
 * places are free afterwards. A failure names the seed, which {@code -Daborted.seed=} runs again.
 */
class AbortedRequestsTest {
    private static final int REQUESTS = Proof.size(200, 10_000);

    /** So many connections are open at most: who has not gone yet is in the way of the others. */
    private static final int OPEN = 48;

    private static final int PLACES = 16;
    private static final int STREAMS = 4;
    private static final int WAITING = 2;

    /**
     * One after the other, as many batches of uid60s as may wait take 2,012 ms; and no other batch has room beside
     * them.
     */
    private static final String LONGEST_BATCH = "2100ms";

    /** Of the 1,024 uid60s of a second. */
    private static final int MORE_THAN_A_TICK = 1_030;

    private static final String SERVED = "HTTP/1.1 200";

    /** Less than any answer has after its status. */
    private static final int SOME = 60;

    /** Less than any stream has after its status, also where it is compressed, and more than is written at a time. */
    private static final int MUCH = 100_000;

    /** So little that the largest answer waits for its reader. */
    private static final int RECEIVE_BUFFER = 65_536;

    private static final String READING = get("/ids/sno/9q7qmwq2222dhi22");
    private static final String ONE_UID60 = get("/ids/uid60");
    private static final String SEVERAL_UID60 = get("/ids/uid60?count=" + MORE_THAN_A_TICK);
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded";

    private static final List<Kind> KINDS = List.of(
            Kind.of(get("/ids/sno")),
            Kind.of(get("/ids/gid?form=hex", "Accept: application/json")),
            Kind.of(get("/ids/muid?count=500")),
            Kind.of(get("/ids/sno?count=10000", "Accept-Encoding: gzip")),
            Kind.waiting(ONE_UID60),
            Kind.waiting(SEVERAL_UID60),
            Kind.stream(get("/ids/gid?count=100000")),
            Kind.stream(get("/ids/sno?count=100000", "Accept-Encoding: gzip")),
            Kind.stream(get("/ids/gid?count=400000", "Accept: application/json")),
            Kind.stream(get("/ids/eightbyte?count=20000&form=decimal")),
            Kind.of(post("", "Content-Length: 0")),
            Kind.of(post("count=3&metabyte=7", FORM, "Content-Length: 18")),
            Kind.of(post(
                    "{\"count\":20" + " ".repeat(4_000) + "}",
                    "Content-Type: application/json",
                    "Content-Length: 4012")),
            Kind.of(post("3\r\ncou\r\n4\r\nnt=3\r\n0\r\n\r\n", FORM, "Transfer-Encoding: chunked")),
            Kind.of(READING),
            Kind.of(get("/ids")),
            Kind.of(get("/leases")),
            Kind.of(get("/openapi.json")),
            new Kind(Collections.nCopies(20, get("/ids/sno")), false, SOME),
            new Kind(Collections.nCopies(10, get("/ids/gid?count=100")), false, SOME),
            new Kind(Collections.nCopies(5, get("/openapi.json")), false, SOME),
            new Kind(Collections.nCopies(3, get("/ids/uid60?count=10")), true, SOME),
            Kind.of(get("/ids/gid?count=2"), post("count=2", FORM, "Content-Length: 7"), READING, get("/leases")),
            Kind.waiting(get("/ids/sno"), SEVERAL_UID60, get("/ids/gid?count=2")));

    /** The connections whose end the service has seen. */
    private static final AtomicInteger ENDED = new AtomicInteger();

    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    private final ObedientSource source =
            ((ObedientApplication) service.support().getApplication()).source();

    /**
     * What clients ask for.
     *
     * @param requests as they are sent, one behind the other on the same connection
     * @param waits whether the first answer may take seconds
     * @param most how much of an answer with 200 a client reads before it goes, less than there is
     */
    private record Kind(List<String> requests, boolean waits, int most) {
        static Kind of(String... requests) {
            return new Kind(List.of(requests), false, SOME);
        }

        static Kind stream(String request) {
            return new Kind(List.of(request), false, MUCH);
        }

        static Kind waiting(String... requests) {
            return new Kind(List.of(requests), true, SOME);
        }

        byte[] bytes() {
            return String.join("", requests).getBytes(StandardCharsets.US_ASCII);
        }

        /** As much as a client sends of it that stops anywhere, or after the first head, or at the end. */
        byte[] beginning(Random random) {
            byte[] all = bytes();
            int head = requests.get(0).indexOf("\r\n\r\n") + 4;
            return Arrays.copyOf(
                    all,
                    switch (random.nextInt(3)) {
                        case 0 -> 1 + random.nextInt(all.length - 1);
                        case 1 -> head + random.nextInt(all.length - head + 1);
                        default -> all.length;
                    });
        }
    }

    private static String get(String target, String... more) {
        return request("GET " + target, "", more);
    }

    private static String post(String body, String... more) {
        return request("POST /ids/sno", body, more);
    }

    private static String request(String line, String body, String... more) {
        String head = Stream.of(more).map(header -> header + "\r\n").collect(Collectors.joining());
        return line + " HTTP/1.1\r\nHost: localhost\r\n" + head + "\r\n" + body;
    }

    /** The last request on its connection. */
    private static String closing(String request) {
        return request.replaceFirst("Host: localhost\r\n", "$0Connection: close\r\n");
    }

    @BeforeAll
    static void start() {
        service = RunningService.start(
                ObedientApplication.class,
                "limits.requests=" + PLACES,
                "limits.streams=" + STREAMS,
                "limits.longestBatch=" + LONGEST_BATCH);
        for (Connector connector : service.server().getConnectors()) {
            ((AbstractConnector) connector).addBean(new Connection.Listener() {
                @Override
                public void onClosed(Connection connection) {
                    ENDED.incrementAndGet();
                }
            });
        }
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @Test
    void shouldGiveBackEveryPermitAndPlaceOfRequestsThatAreAborted() {
        long seed = Long.getLong("aborted.seed", new Random().nextLong());
        try {
            abort(new Random(seed), "seed " + seed);
            await("every connection has ended").until(() -> ENDED.get() == REQUESTS);
            await("every permit is free").until(() -> FreePermits.of(service) == RunningService.PERMITS);
            awaitNobody();
            await().untilAsserted(this::requireAllPlaces); // the last one is given back when its request is over
            requireAllStreams();
            await().untilAsserted(AbortedRequestsTest::requireAllThatWait);
            KINDS.forEach(AbortedRequestsTest::requireAnswered);
        } catch (Exception | AssertionError e) {
            throw new AssertionError("with -Daborted.seed=" + seed, e);
        }
    }

    private static void awaitNobody() {
        await("nobody is let in").until(() -> service.taken(Limit.REQUESTS) == 0);
    }

    /** Every second client goes as soon as it has sent what it sends; the others go some time later. */
    private static void abort(Random random, String seed) throws IOException {
        List<Socket> open = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            Progress.of(i + " of " + REQUESTS + ", " + seed);
            open.add(begun(random));
            if (open.size() > OPEN) {
                leave(open.remove(random.nextInt(open.size())), random);
            } else if (random.nextBoolean()) {
                leave(open.remove(open.size() - 1), random);
            }
        }
        for (Socket each : open) {
            leave(each, random);
        }
    }

    /**
     * A client that has sent a request up to some point, has read some of the answer, or says that it sends no more.
     */
    private static Socket begun(Random random) throws IOException {
        Kind kind = KINDS.get(random.nextInt(KINDS.size()));
        boolean reads = random.nextInt(4) == 0;
        Socket client = connected();
        client.getOutputStream().write(reads ? kind.bytes() : kind.beginning(random));
        if (reads) {
            readSome(client.getInputStream(), kind, random);
        }
        if (random.nextInt(8) == 0) {
            client.shutdownOutput();
        }
        return client;
    }

    private static Socket connected() throws IOException {
        Socket client = new Socket();
        client.setReceiveBufferSize(RECEIVE_BUFFER);
        client.setSoTimeout((int) HangGuard.TIME.toMillis());
        client.connect(new InetSocketAddress(
                InetAddress.getLoopbackAddress(), service.app().port()));
        return client;
    }

    private static List<Socket> asking(int times, String request) throws IOException {
        List<Socket> clients = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            clients.add(connected());
            clients.get(i).getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        }
        return clients;
    }

    /** Nobody here waits for a tick. */
    private static void readSome(InputStream in, Kind kind, Random random) throws IOException {
        if (kind.waits()) {
            in.skipNBytes(Math.min(random.nextInt(SOME), in.available()));
            return;
        }
        int most = status(in).equals(SERVED) ? kind.most() : SOME;
        in.skipNBytes(random.nextInt(most));
    }

    private static String status(InputStream in) throws IOException {
        return new String(in.readNBytes(SERVED.length()), StandardCharsets.US_ASCII);
    }

    /** By a reset, or in order, where nothing was left unread. */
    private static void leave(Socket client, Random random) throws IOException {
        if (random.nextBoolean()) {
            client.setSoLinger(true, 0);
        }
        client.close();
    }

    /** Each has a place while it waits for ZooKeeper, and no permit; nobody is refused. */
    private void requireAllPlaces() throws IOException {
        Gate gate = new Gate();
        source.whenAskedForAHolder(gate);
        List<Socket> clients = asking(PLACES, closing(READING));
        try {
            await("each is let in or refused").until(() -> gate.reached() + answered(clients) == PLACES);
        } finally {
            gate.open();
            source.whenAskedForAHolder(() -> {});
        }
        requireServed(clients, READING);
    }

    private static int answered(List<Socket> clients) throws IOException {
        int answered = 0;
        for (Socket client : clients) {
            answered += client.getInputStream().available() == 0 ? 0 : 1;
        }
        return answered;
    }

    /** All are served, to their ends, and then gone. */
    private static void requireServed(List<Socket> clients, String request) throws IOException {
        for (Socket client : clients) {
            try (client) {
                String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                assertTrue(answer.startsWith(SERVED), request + answer);
            }
        }
        awaitNobody();
    }

    /** Answers that nobody reads keep their places, and no permits. */
    private static void requireAllStreams() throws IOException {
        List<Socket> clients = asking(STREAMS, get("/ids/gid?count=100000000"));
        for (Socket client : clients) {
            assertEquals(SERVED, status(client.getInputStream()));
        }
        await("no permit is kept").until(() -> FreePermits.of(service) == RunningService.PERMITS);
        for (Socket client : clients) {
            client.close();
        }
        awaitNobody();
    }

    /**
     * As many as may wait for several IDs, as many as may wait for one, and no batch is counted that nobody waits for.
     * The source here does not share a tick among batches, so that one of them may wait in vain; asked again, they are
     * served.
     */
    private static void requireAllThatWait() throws IOException {
        List<Socket> clients = asking(WAITING, closing(SEVERAL_UID60));
        clients.addAll(asking(WAITING, closing(ONE_UID60)));
        requireServed(clients, SEVERAL_UID60);
    }

    /** By a client that waits for all answers. */
    private static void requireAnswered(Kind kind) {
        int last = kind.requests().size() - 1;
        String answers = service.app()
                .raw(String.join("", kind.requests().subList(0, last))
                        + closing(kind.requests().get(last)));

        assertEquals(
                kind.requests().size(),
                answers.split(SERVED, -1).length - 1,
                () -> kind.requests() + "\n" + answers.substring(0, Math.min(answers.length(), 1_000)));
    }
}
