package org.idallocator.zk.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;

/** Asks a replica that may not answer: not yet, not any more, or not now. */
public final class Probe {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Probe() {}

    /** The answer to a GET; empty where there is none within a second. */
    public static Optional<HttpResponse<String>> get(URI uri) {
        return get(uri, SECOND);
    }

    /** The same, with another time for the answer. */
    static Optional<HttpResponse<String>> get(URI uri, Duration patience) {
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(patience).build();
        try {
            return Optional.of(CLIENT.send(request, BodyHandlers.ofString()));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
