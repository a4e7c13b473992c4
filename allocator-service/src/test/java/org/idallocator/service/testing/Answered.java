package org.idallocator.service.testing;

import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.idallocator.dropwizard.testing.Http;

/** What a service answered. */
public record Answered(int status, HttpHeaders headers, String body) {

    /** The answer to a request with such headers, and with a body unless that is empty. */
    public static Answered to(Http http, String method, String path, Map<String, String> headers, String body) {
        HttpRequest.Builder request = http.request(path)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return of(http.send(request));
    }

    public static Answered of(HttpResponse<String> response) {
        return new Answered(response.statusCode(), response.headers(), response.body());
    }

    /** Of the bytes of an answer, each a character. */
    public static Answered ofRaw(String raw) {
        String[] parts = raw.split("\r\n\r\n", 2);
        Map<String, List<String>> headers = parts[0].lines()
                .skip(1)
                .map(line -> line.split(": *", 2))
                .collect(Collectors.toMap(header -> header[0], header -> List.of(header[1])));
        int status = Integer.parseInt(raw.split(" ", 3)[1]);
        String body = headers.containsKey("Transfer-Encoding") ? unchunked(parts[1]) : parts[1];
        return new Answered(status, HttpHeaders.of(headers, (name, value) -> true), body);
    }

    private static String unchunked(String chunks) {
        StringBuilder body = new StringBuilder();
        int from = 0;
        for (int size = -1; size != 0; from += size + 2) {
            int sizeEnd = chunks.indexOf("\r\n", from);
            size = Integer.parseInt(chunks.substring(from, sizeEnd), 16);
            from = sizeEnd + 2;
            body.append(chunks, from, from + size);
        }
        return body.toString();
    }

    public Optional<String> header(String name) {
        return headers.firstValue(name);
    }
}
