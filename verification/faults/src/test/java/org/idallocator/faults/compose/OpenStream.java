package org.idallocator.faults.compose;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** A client that reads an answer of many IDs slowly, so that the answer is open for hours unless somebody ends it. */
final class OpenStream implements AutoCloseable {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final String PATH = "/ids/gid?count=100000000";
    private static final int PART_BYTES = 4_096;
    private static final long PAUSE_NANOS = 20_000_000;

    private final HttpResponse<InputStream> response;
    private final CompletableFuture<Boolean> cutOff = new CompletableFuture<>();
    private volatile boolean slow = true;

    private OpenStream(HttpResponse<InputStream> response) {
        this.response = response;
        Thread reader = new Thread(this::read, "open-stream");
        reader.setDaemon(true);
        reader.start();
    }

    /** Asks, and returns when the answer has begun. */
    static OpenStream of(URI address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address.resolve(PATH)).build();
        HttpResponse<InputStream> response = HTTP.send(request, BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new IllegalStateException(PATH + " was answered with " + response.statusCode());
        }
        return new OpenStream(response);
    }

    private void read() {
        try (InputStream body = response.body()) {
            byte[] part = new byte[PART_BYTES];
            while (body.read(part) >= 0) {
                if (slow) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
            cutOff.complete(false);
        } catch (IOException e) {
            cutOff.complete(true);
        }
    }

    /** Reads what is still on its way, without pauses. */
    void hurry() {
        slow = false;
    }

    /** Whether the answer ended with an error, so that nobody takes a part for the whole; once it has ended. */
    CompletableFuture<Boolean> cutOff() {
        return cutOff;
    }

    @Override
    public void close() throws IOException {
        response.body().close();
    }
}
