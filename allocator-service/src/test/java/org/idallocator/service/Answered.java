package org.idallocator.service;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a service answered. */
record Answered(int status, HttpHeaders headers, String body) {

    static Answered of(HttpResponse<String> response) {
        return new Answered(response.statusCode(), response.headers(), response.body());
    }

    /** Of the bytes of an answer that is not in chunks. */
    static Answered ofRaw(String raw) {
        String[] parts = raw.split("\r\n\r\n", 2);
        String[] lines = parts[0].split("\r\n", -1);
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (int i = 1; i < lines.length; i++) {
            String[] header = lines[i].split(": *", 2);
            headers.put(header[0], List.of(header[1]));
        }
        int status = Integer.parseInt(lines[0].split(" ", 3)[1]);
        return new Answered(status, HttpHeaders.of(headers, (name, value) -> true), parts[1]);
    }

    Optional<String> header(String name) {
        return headers.firstValue(name);
    }
}
