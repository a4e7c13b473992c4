package org.idallocator.faults.load;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import org.idallocator.core.id.Id;
import org.idallocator.faults.ids.Receipt;

/**
 * Sends one request for IDs and says how it ended. What came is in the receipt, whatever happened then. Thread-safe.
 */
final class Asker {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    private final HttpClient http;

    Asker(ExecutorService executor) {
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .executor(executor)
                .build();
    }

    /** {@code timeout} is how long an answer may take to begin. */
    <T extends Id> Outcome ask(URI replica, int count, Duration timeout, Receipt<T> receipt) {
        String path = "/ids/" + receipt.scheme().name() + (count == 1 ? "" : "?count=" + count);
        HttpRequest request = HttpRequest.newBuilder(replica.resolve(path))
                .header("Accept", "text/plain")
                .timeout(timeout)
                .build();
        try {
            HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                return response.statusCode() == 200 ? read(body, count, receipt) : refused(response);
            }
        } catch (ConnectException e) {
            return Outcome.REFUSED;
        } catch (HttpTimeoutException e) {
            return Outcome.TIMEOUT;
        } catch (IOException e) {
            return Outcome.EMPTY;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Outcome.EMPTY;
        }
    }

    private static <T extends Id> Outcome read(InputStream body, int count, Receipt<T> receipt) {
        try {
            long came = Lines.read(body, receipt.scheme().type(), receipt);
            if (came != count) {
                throw new AssertionError("an answer ended in order with " + came + " IDs instead of " + count);
            }
            return Outcome.OK;
        } catch (IOException e) {
            return Outcome.CUT_OFF;
        } finally {
            receipt.flush();
        }
    }

    private static Outcome refused(HttpResponse<InputStream> response) throws IOException {
        String detail = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
        return Outcome.status(response.statusCode(), detail);
    }
}
