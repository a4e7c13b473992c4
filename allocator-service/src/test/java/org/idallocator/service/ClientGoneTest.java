package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.Said;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;

/** Clients that go away while their IDs are drawn. A second holds 1,024 uid60s, so that an answer of thousands takes its time. */
@ExtendWith(SharedService.class)
class ClientGoneTest {
    private static final int PER_SECOND = 1_024;

    private static Socket asking(RunningService service, String request) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), service.app().port());
        socket.setSoTimeout((int) HangGuard.TIME.toMillis());
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    private static double metric(RunningService service, String line) {
        return service.admin()
                .get("/prometheus")
                .body()
                .lines()
                .filter(each -> each.startsWith(line))
                .mapToDouble(each -> Double.parseDouble(each.substring(each.lastIndexOf(' '))))
                .sum();
    }

    private static double gone(RunningService service) {
        return metric(service, "id_allocator_draws_refused_total{reason=\"client-gone\",scheme=\"uid60\"}");
    }

    private static double issued(RunningService service) {
        return metric(service, "id_allocator_ids_issued_total{scheme=\"uid60\"}");
    }

    /** Both a collected and a streamed answer; the whole of either takes more than nine seconds. */
    @ParameterizedTest
    @ValueSource(ints = {10_000, 10_240})
    void shouldDrawNoFurtherThanATick(int count, RunningService service) throws IOException {
        double goneBefore = gone(service);
        double issuedBefore = issued(service);

        asking(service, get("/ids/uid60?count=" + count)).close();
        await().until(() -> gone(service) > goneBefore);

        double issued = issued(service) - issuedBefore;
        int most = Proof.size(count - 1, 3 * PER_SECOND); // a busy machine tells late that the client is gone
        assertTrue(issued <= most, () -> issued + " were drawn for nobody");
        assertEquals(goneBefore + 1, gone(service));
    }

    /** Also those that end their connections by resets, while IDs are drawn for them and while answers are being written. */
    @ParameterizedTest
    @CsvSource({"uid60, 5000, false, 1", "sno, 5000000, true, 5"})
    void shouldCountWhoGoesAwayAndLogNoError(String scheme, int count, boolean begun, int times, RunningService service)
            throws IOException {
        String refused = "id_allocator_draws_refused_total{reason=\"%s\",scheme=\"" + scheme + "\"}";
        double goneBefore = metric(service, refused.formatted("client-gone"));
        double errorsBefore = metric(service, refused.formatted("error"));
        List<ILoggingEvent> told;
        try (Said said = new Said(Logger.ROOT_LOGGER_NAME, Level.INFO)) {
            for (int i = 1; i <= times; i++) {
                Socket socket = asking(service, get("/ids/" + scheme + "?count=" + count));
                if (begun) {
                    assertEquals("HTTP/1.1 200 OK", reader(socket).readLine());
                }
                socket.setSoLinger(true, 0);
                socket.close();
                double expected = goneBefore + i;
                await().until(() -> metric(service, refused.formatted("client-gone"))
                                + metric(service, refused.formatted("error"))
                                - errorsBefore
                        >= expected);
            }
            service.app().get("/ids/sno");
            told = said.events();
        }

        assertEquals(goneBefore + times, metric(service, refused.formatted("client-gone")));
        assertEquals(errorsBefore, metric(service, refused.formatted("error")));
        assertEquals(
                List.of(),
                told.stream()
                        .filter(event ->
                                !event.getLoggerName().startsWith("org.apache.zookeeper.")) // no business of clients
                        .map(ILoggingEvent::getFormattedMessage)
                        .toList());
    }

    @Test
    void shouldTellWhoHasClosedTheSendingSideAlone(RunningService service) throws IOException {
        try (Socket socket = asking(service, get("/ids/uid60?count=5000"))) {
            socket.shutdownOutput();

            assertEquals("HTTP/1.1 499", reader(socket).readLine().substring(0, 12));
        }
    }

    /** What a client sends while it waits for an answer is its next request. */
    @Test
    void shouldAnswerTheNextRequestThatCameMeanwhile(RunningService service) throws IOException {
        String next = "GET /ids/sno?count=2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        try (Socket socket = asking(service, get("/ids/uid60?count=2100"))) {
            socket.getOutputStream().write(next.substring(0, 20).getBytes(StandardCharsets.US_ASCII));
            BufferedReader reader = reader(socket);
            assertEquals("HTTP/1.1 200 OK", reader.readLine());
            socket.getOutputStream().write(next.substring(20).getBytes(StandardCharsets.US_ASCII));

            String rest = String.join("\n", reader.lines().toList());
            assertEquals(
                    2_100,
                    rest.lines()
                            .filter(line -> line.matches("[A-Za-z0-9_-]{10}"))
                            .count());
            assertEquals(1, rest.lines().filter("HTTP/1.1 200 OK"::equals).count());
            assertEquals(
                    2, rest.lines().filter(line -> line.matches("[2-9a-x]{16}")).count());
        }
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }
}
