package org.idallocator.dropwizard.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.lang3.function.FailableFunction;
import org.idallocator.core.testing.HangGuard;

/** Asks one port of a local service. */
public final class Http {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static final String HEAD_END = "\r\n\r\n";
    private static final Pattern LENGTH = Pattern.compile("(?mi)^Content-Length: (\\d+)");

    private final int port;
    private final HttpClient client;
    private final String base;
    private final Optional<String> token;

    public Http(int port) {
        this(port, CLIENT, "http://localhost:" + port, Optional.empty());
    }

    private Http(int port, HttpClient client, String base, Optional<String> token) {
        this.port = port;
        this.client = client;
        this.base = base;
        this.token = token;
    }

    /** Asks a port that speaks TLS, by a client that trusts it; no raw requests. */
    public static Http overTls(int port, HttpClient client) {
        return new Http(port, client, "https://localhost:" + port, Optional.empty());
    }

    /** The same, showing a token with each request but raw ones. */
    public Http showing(String shown) {
        return new Http(port, client, base, Optional.of(shown));
    }

    /** The same below a path, such as {@code /api}, with each request but raw ones. */
    public Http below(String path) {
        return new Http(port, client, base + path, token);
    }

    public int port() {
        return port;
    }

    /**
     * What the server sends to somebody who writes {@code bytes} and then waits until the server closes the connection.
     */
    public String raw(String bytes) {
        return read(bytes, in -> new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }

    /** The first answer to somebody who writes {@code bytes}; its head must tell how long it is. */
    public String first(String bytes) {
        return read(bytes, Http::answer);
    }

    private String read(String bytes, FailableFunction<InputStream, String, IOException> reading) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) HangGuard.TIME.toMillis());
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
            return reading.apply(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The next answer on a connection, and no byte of what comes behind it; its head must tell how long it is. */
    public static String answer(InputStream in) throws IOException {
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf(HEAD_END) < 0) {
            int read = in.read();
            if (read < 0) {
                throw new AssertionError("the answer ends in its head: " + answer);
            }
            answer.append((char) read);
        }
        Matcher length = LENGTH.matcher(answer);
        if (!length.find()) {
            throw new AssertionError("the answer does not tell its length: " + answer);
        }
        byte[] body = in.readNBytes(Integer.parseInt(length.group(1)));
        return answer + new String(body, StandardCharsets.UTF_8);
    }

    public HttpResponse<String> get(String path) {
        return send("GET", path, "*/*");
    }

    public HttpResponse<String> get(String path, String accept) {
        return send("GET", path, accept);
    }

    public int status(String path) {
        return get(path).statusCode();
    }

    /** All values of a header, or nothing. */
    public static String header(HttpResponse<String> response, String name) {
        return String.join(", ", response.headers().allValues(name));
    }

    /** What a problem says in detail. */
    public static String detail(HttpResponse<String> problem) {
        return json(problem).path("detail").asText();
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
        return send(request(path).method(method, BodyPublishers.noBody()).header("Accept", accept));
    }

    /** A request for a path, to be completed. */
    public HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).timeout(HangGuard.TIME);
        token.ifPresent(shown -> request.header("Authorization", "Bearer " + shown));
        return request;
    }

    public HttpResponse<String> send(HttpRequest.Builder builder) {
        HttpRequest request = builder.build();
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
