package org.idallocator.browser;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.stream.StreamSupport;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.testing.ReplicaProcess;

/** What a replica answers over HTTP, to hold against what the console shows. */
final class Answers {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Answers() {}

    static JsonNode json(ReplicaProcess replica, String pathAndQuery) {
        return json(text(replica, pathAndQuery));
    }

    static JsonNode json(String text) {
        return assertDoesNotThrow(() -> JSON.readTree(text));
    }

    static String text(ReplicaProcess replica, String pathAndQuery) {
        return replica.answer(pathAndQuery).strip();
    }

    /** The same from any address, asked in any way, such as DELETE. */
    static String text(String method, URI address) {
        HttpRequest request = HttpRequest.newBuilder(address)
                .method(method, BodyPublishers.noBody())
                .header("Authorization", "Bearer " + ReplicaProcess.ADMIN_TOKEN)
                .timeout(HangGuard.TIME)
                .build();
        try {
            return HTTP.send(request, BodyHandlers.ofString()).body().strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The schemes of the catalogue. */
    static List<JsonNode> schemes(ReplicaProcess replica) {
        return elements(json(replica, "/ids").path("schemes"));
    }

    static List<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }
}
