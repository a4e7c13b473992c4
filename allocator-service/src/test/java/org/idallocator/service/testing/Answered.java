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

    /** Of the bytes of an answer that is not in chunks. */
    public static Answered ofRaw(String raw) {
        String[] parts = raw.split("\r\n\r\n", 2);
        Map<String, List<String>> headers = parts[0].lines()
                .skip(1)
                .map(line -> line.split(": *", 2))
                .collect(Collectors.toMap(header -> header[0], header -> List.of(header[1])));
        int status = Integer.parseInt(raw.split(" ", 3)[1]);
        return new Answered(status, HttpHeaders.of(headers, (name, value) -> true), parts[1]);
    }

    public Optional<String> header(String name) {
        return headers.firstValue(name);
    }
}
