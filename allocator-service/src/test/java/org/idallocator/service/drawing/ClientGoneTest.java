package org.idallocator.service.drawing;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.idallocator.core.testing.Proof;
import org.idallocator.dropwizard.testing.Said;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;

/**
 * Clients that go away while their IDs are drawn. A second holds 1,024 uid60s, so that an answer of thousands takes its
 * time.
 */
@ExtendWith(SharedService.class)
class ClientGoneTest {
    private static final int PER_SECOND = 1_024;

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    private static double refused(RunningService service, String why, String scheme) {
        return service.metric("id_allocator_draws_refused_total{reason=\"" + why + "\",scheme=\"" + scheme + "\"}");
    }

    /**
     * Collected and streamed answers, where either takes more than nine seconds, and clients that end their connections
     * by resets, while IDs are drawn for them and while answers are being written.
     */
    @ParameterizedTest
    @CsvSource({
        "uid60, 10000, false, false, 1",
        "uid60, 10240, false, false, 1",
        "uid60, 5000, true, false, 1",
        "sno, 5000000, true, true, 5"
    })
    void shouldDrawNoFurtherThanATickForWhoGoesAwayAndLogNoError(
            String scheme, int count, boolean reset, boolean begun, int times, RunningService service)
            throws IOException {
        double gone = refused(service, "client-gone", scheme);
        double errors = refused(service, "error", scheme);
        double before = service.metric("id_allocator_ids_issued_total{scheme=\"uid60\"}");
        List<String> told;
        try (Said said = new Said(Logger.ROOT_LOGGER_NAME, Level.INFO)) {
            for (int i = 1; i <= times; i++) {
                double expected = gone + i;
                Socket socket = service.asking(get("/ids/" + scheme + "?count=" + count));
                if (begun) {
                    assertEquals("HTTP/1.1 200 OK", reader(socket).readLine());
                }
                if (reset) {
                    socket.setSoLinger(true, 0);
                }
                socket.close();
                await().until(() -> refused(service, "client-gone", scheme) + refused(service, "error", scheme) - errors
                        >= expected);
            }
            service.app().get("/ids/sno");
            told = said.events().stream()
                    .filter(event ->
                            !event.getLoggerName().startsWith("org.apache.zookeeper.")) // no business of clients
                    .map(ILoggingEvent::getFormattedMessage)
                    .toList();
        }

        double issued = service.metric("id_allocator_ids_issued_total{scheme=\"uid60\"}") - before;
        int most = Proof.size(count - 1, 3 * PER_SECOND); // a busy machine tells late that the client is gone
        assertTrue(issued <= most, () -> issued + " were drawn for nobody");
        assertEquals(gone + times, refused(service, "client-gone", scheme));
        assertEquals(errors, refused(service, "error", scheme));
        assertEquals(List.of(), told);
    }

    /** What it has sent behind its first request are no sign that it is there. */
    @Test
    void shouldDrawNoFurtherThanATickForWhoHasSentMoreAndGoesAway(RunningService service) throws IOException {
        double gone = refused(service, "client-gone", "uid60");
        double before = service.metric("id_allocator_ids_issued_total{scheme=\"uid60\"}");
        try (Socket socket = service.asking(get("/ids/uid60?count=10000") + get("/ids/uid60?count=10000"))) {
            socket.setSoLinger(true, 0);
        }
        await().until(() -> refused(service, "client-gone", "uid60") > gone);

        double issued = service.metric("id_allocator_ids_issued_total{scheme=\"uid60\"}") - before;
        assertTrue(issued <= Proof.size(9_999, 3 * PER_SECOND), () -> issued + " were drawn for nobody");
    }

    @Test
    void shouldTellWhoHasClosedTheSendingSideAlone(RunningService service) throws IOException {
        try (Socket socket = service.asking(get("/ids/uid60?count=5000"))) {
            socket.shutdownOutput();

            assertEquals("HTTP/1.1 499", reader(socket).readLine().substring(0, 12));
        }
    }

    /**
     * What a client sends while it waits, byte by byte or at once, and more than there is room for, are its next
     * requests.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAnswerTheRequestsThatCameMeanwhile(boolean byteByByte, RunningService service) throws IOException {
        String next = "GET /ids/uid60?count=2 HTTP/1.1\r\nHost: localhost\r\nX-Long: " + "x".repeat(1_000) + "\r\n";
        String all = (next + "\r\n").repeat(19) + next + "Connection: close\r\n\r\n";
        try (Socket socket =
                service.asking(get("/ids/eightbyte?count=64000"))) { // it is looked for after each of 1,000 ticks
            socket.setTcpNoDelay(true);
            byte[] bytes = all.getBytes(StandardCharsets.US_ASCII);
            int each = byteByByte ? 1 : bytes.length;
            for (int sent = 0; sent < bytes.length; sent += each) {
                socket.getOutputStream().write(bytes, sent, each);
            }
            List<String> lines = reader(socket).lines().toList();

            assertEquals(21, lines.stream().filter("HTTP/1.1 200 OK"::equals).count());
            assertEquals(
                    64_000,
                    lines.stream().filter(line -> line.matches("[0-9a-f]{16}")).count());
            assertEquals(
                    40,
                    lines.stream()
                            .filter(line -> line.matches("[A-Za-z0-9_-]{10}"))
                            .count());
        }
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }
}
