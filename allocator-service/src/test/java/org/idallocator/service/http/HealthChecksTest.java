package org.idallocator.service.http;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Health checks that are answered in front of the servlet have the servlet's answer, which those get whose query is
 * encoded.
 */
class HealthChecksTest {
    private static final String PAGE = "Origin: https://page.example\r\n";

    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    @BeforeAll
    static void start() {
        service = RunningService.start(ObedientApplication.class).awaitReady();
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest
    @CsvSource({
        "200, /health-check?type=alive,       /health-check?typ%65=alive",
        "200, /health-check?name=lease-thread, /health-check?n%61me=lease-thread",
        "503, /health-check,                  /health-check?x=%78",
        "503, /health-check?type=ready,       /health-check?typ%65=ready",
        "503, /health-check?name=all,         /health-check?n%61me=all",
        "503, /health-check?name=leases,      /health-check?n%61me=leases",
        "503, /health-check?name=sno,         /health-check?n%61me=sno",
    })
    void shouldAnswerAsTheServletDoes(int whenFenced, String path, String ofTheServlet) throws IOException {
        ObedientSource source = ((ObedientApplication) service.support().getApplication()).source();
        source.serve();
        awaitEachScheme(200);
        assertSame(200, path, ofTheServlet);

        source.fenceAll(FenceReason.UNREACHABLE);
        awaitEachScheme(503);
        assertSame(whenFenced, path, ofTheServlet);
    }

    /** Each check has a schedule of its own. */
    private static void awaitEachScheme(int status) {
        await("every check has run")
                .until(() -> Stream.concat(Stream.of("leases"), Schemes.names().stream())
                        .allMatch(name -> service.app().status("/health-check?name=" + name) == status));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", PAGE})
    void shouldAnswerAsTheServletDoesWhenPagesOfOtherOriginsMayRead(String header) throws IOException {
        try (RunningService shared =
                RunningService.start(ObedientApplication.class, "cors.allowedOrigins=https://page.example")) {
            assertEquals(
                    answer(shared, "/health-check?typ%65=alive", header),
                    answer(shared, "/health-check?type=alive", header));
        }
    }

    private static void assertSame(int status, String path, String ofTheServlet) throws IOException {
        String answer = answer(path, "");

        assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
        assertEquals(answer(ofTheServlet, ""), answer);
        assertEquals(answer(ofTheServlet, PAGE), answer(path, PAGE));
        assertEquals(answer, answer(path, "Accept-Encoding: gzip\r\n"), "it is never compressed");
    }

    private static String answer(String path, String header) throws IOException {
        return answer(service, path, header);
    }

    private static String answer(RunningService service, String path, String header) throws IOException {
        try (Socket client = service.asking("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n")) {
            return Http.answer(client.getInputStream()).replaceFirst("\r\nDate: [^\r]*", "");
        }
    }
}
