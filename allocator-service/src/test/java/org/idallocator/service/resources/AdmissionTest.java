package org.idallocator.service.resources;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** In the service as it is, who waits for something else than a processor keeps no permit. */
@ExtendWith(SharedService.class)
@ProofOnly("measures time")
class AdmissionTest {
    private static final int LARGE = 100_000_000;
    private static final int MANY_SECONDS = 9_000;

    private static Socket ask(RunningService service, String path) throws IOException {
        Socket client =
                new Socket(InetAddress.getLoopbackAddress(), service.app().port());
        client.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    private static double waits(RunningService service) {
        return service.admin()
                .get("/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith("id_allocator_waits_total{scheme=\"uid60\"}"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    @Test
    void shouldKeepNoPermitWhileTheClientDoesNotRead(RunningService service) throws IOException {
        try (Socket client = ask(service, "/ids/gid?count=" + LARGE)) {
            assertEquals('H', client.getInputStream().read());

            await().until(() -> service.admission().free() == RunningService.PERMITS);
        }
    }

    @Test
    void shouldKeepNoPermitWhileTheDrawWaitsForATick(RunningService service) throws IOException {
        double before = waits(service);
        try (Socket client = ask(service, "/ids/uid60?count=" + MANY_SECONDS)) {
            await().until(() -> waits(service) > before);

            await().until(() ->
                    service.admission().free() == RunningService.PERMITS); // whoever draws has one for a moment
            assertEquals(0, client.getInputStream().available(), "it still waits for the rest");
        }
    }
}
