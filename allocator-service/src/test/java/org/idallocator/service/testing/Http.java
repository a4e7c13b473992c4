package org.idallocator.service.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Asks one port of a local service. */
public final class Http {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final int port;

    public Http(int port) {
        this.port = port;
    }

    public int port() {
        return port;
    }

    public HttpResponse<String> get(String path) {
        return send("GET", path, "*/*");
    }

    public HttpResponse<String> get(String path, String accept) {
        return send("GET", path, accept);
    }

    /** The body of the answer to a GET, as JSON. */
    public JsonNode json(String path) {
        return json(get(path, "application/json"));
    }

    public static JsonNode json(HttpResponse<String> response) {
        try {
            return MAPPER.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + response.body(), e);
        }
    }

    public HttpResponse<String> send(String method, String path, String accept) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .method(method, BodyPublishers.noBody())
                .header("Accept", accept)
                .timeout(Duration.ofSeconds(60))
                .build();
        try {
            return CLIENT.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
