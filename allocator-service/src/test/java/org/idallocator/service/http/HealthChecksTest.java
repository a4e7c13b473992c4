package org.idallocator.service.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Health checks that are answered in front of the servlet have the servlet's answer, which those have whose query is
 * encoded.
 */
@ExtendWith(SharedService.class)
class HealthChecksTest {
    private final RunningService service;

    HealthChecksTest(RunningService service) {
        this.service = service;
    }

    @ParameterizedTest
    @CsvSource({
        "/health-check,              /health-check?x=%78",
        "/health-check?type=alive,   /health-check?typ%65=alive",
        "/health-check?type=ready,   /health-check?typ%65=ready",
        "/health-check?name=leases,  /health-check?n%61me=leases",
        "/health-check?name=sno,     /health-check?n%61me=sno",
        "/health-check?name=gid,     /health-check?n%61me=gid",
        "/health-check?name=lease-thread, /health-check?n%61me=lease-thread",
    })
    void shouldAnswerAsTheServletDoes(String path, String ofTheServlet) throws IOException {
        for (String header : new String[] {"", "Accept-Encoding: gzip\r\n", "Origin: https://page.example\r\n"}) {
            String answer = answer(path, header);

            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
            assertEquals(answer(ofTheServlet, header), answer);
        }
    }

    private String answer(String path, String header) throws IOException {
        try (Socket client = service.asking("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n")) {
            return Http.answer(client.getInputStream()).replaceFirst("\r\nDate: [^\r]*", "");
        }
    }
}
