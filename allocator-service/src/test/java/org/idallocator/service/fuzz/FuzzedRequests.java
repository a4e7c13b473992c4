package org.idallocator.service.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Requests as nobody should send them: mostly of the form that HTTP asks for, with broken names, values, escapes, lines
 * and bodies, and some with bytes that are changed at random. The same random numbers make the same requests. Not
 * thread-safe.
 */
final class FuzzedRequests {
    /** Draws more than a slot has at once are another test's matter. */
    private static final List<String> COUNTS =
            of("1 | 3 | 0 | -1 | 10001 | 2147483648 | 9223372036854775808 | 1e3 | x |  | 0x10 |  1 | ١");

    private static final List<String> METHODS = of(
            "GET | GET | GET | GET | HEAD | POST | POST | OPTIONS | PUT | DELETE | TRACE | CONNECT | get | G\u0000T |  | PROPFIND");

    private static final List<String> PATHS = of("""
            / | /ids | /ids/sno | /ids/muid | /ids/eightbyte | /ids/uid60 | /ids/gid | /ids/sno/9q7qmwq2222dhi22 | \
            /ids/eightbyte/-966301394858409709 | /ids/gid/80000000000000800000000000000001 | /leases | /leases/sno | \
            /leases/sno/0000 | /fleet | /openapi.json | /problems/fenced | /health-check | /healthcheck | /metrics | /ping | \
            /console | /console/app.js | /console/state | /console/read | /tasks | /tasks/drain | /tasks/resume | /tasks/rotate | \
            /pprof | /prometheus | * |  | http://localhost/ids/sno | //ids | /nothing""");

    private static final List<String> NAMES =
            of("count | metabyte | type | form | transaction | seen | id | nonce | scheme | name | duration | a | ");

    private static final List<String> VALUES = of("""
            1 | true | hex | uuid | decimal | base64url | canonical | volume | all | 9q7qmwq2222dhi22 | 1234567890 | %00 | %zz | % | \
            %ff | %e2%80%ae | %1b[31m | a+b | a%20b | '"<script> | %0d%0aSet-Cookie:x | nope""");

    private static final List<String> ODD = of("""
            %2F | %2f..%2f | /.. | /../.. | /./ | ;x=y | %00 | %zz | % | \u0000 | \u0001 | \t |   | \\ | %5c | é | %C0%AE | // | ? | \
            # | \u001b[31m | %u0041 | ' | " | <b> | {} | | | ^""");

    private static final List<String> VERSIONS = of("""
            HTTP/1.1 | HTTP/1.1 | HTTP/1.1 | HTTP/1.1 | HTTP/1.0 | HTTP/2.0 | HTTP/0.9 | HTTP/1.9 | HTTP |  | http/1.1 | HTTP/1.1 x""");

    private static final List<String> HOSTS =
            of("localhost | localhost | localhost | 127.0.0.1:80 | [::1] | evil.example |  | : | a b | \u0000 | [ | @");

    private static final List<String> HEADERS = of("""
            Accept: text/plain | Accept: application/json | Accept: application/x-ndjson | Accept: text/html | Accept: */*;q=x | \
            Accept: ,;=" | Accept: text/plain;q=0.5, */*;q=2 | Accept-Encoding: gzip, deflate, br | Accept-Encoding: \u0001 | \
            Accept-Language: zz | Content-Type: application/x-www-form-urlencoded | Content-Type: application/json | \
            Content-Type: application/json; charset=utf-16 | Content-Type: ; | Content-Type: multipart/form-data; boundary=x | \
            Content-Encoding: gzip | Content-Encoding: deflate | Content-Length: 3 | Content-Length: 3 | Content-Length: -1 | \
            Content-Length: 99999999999999999999 | Content-Length: x | Transfer-Encoding: chunked | \
            Transfer-Encoding: gzip, chunked | Transfer-Encoding: xchunked | Expect: 100-continue | Expect: 200-maybe | \
            Connection: close | Connection: upgrade | Upgrade: h2c | HTTP2-Settings: AAMAAABkAAQAAP__ | Upgrade: websocket | \
            Origin: http://evil.example | Origin: null | Origin: % | If-None-Match: * | If-None-Match: " | Range: bytes=0- | \
            Authorization: Bearer x | Authorization: Basic : | Cookie: a=b; c=\u0001 | X-Forwarded-For: 1.2.3.4 | \
            X-Forwarded-Host: evil | Forwarded: for="_x | X: \u00ff\u00fe | X : y |  folded | no colon | : empty | X: | \
            Host: another | Access-Control-Request-Method: PUT | Trailer: X | TE: trailers | Sec-Fetch-Site: cross-site""");

    private static final List<String> BODIES = of("""
             | a=b | count=2 | count=2&metabyte=300 | {"count":2} | {"count":[1]} | { | [] | {"count":1}{} | %zz=1 | \
            3\r\nabc\r\n0\r\n\r\n | 3\r\nabc | ffffffffffffffff\r\n | x\r\n | 0\r\nTrailer: y\r\n\r\n | \u0000\u0001\u0002 | =&=&=""");

    private final RandomGenerator random;

    FuzzedRequests(RandomGenerator random) {
        this.random = random;
    }

    private static List<String> of(String alternatives) {
        return List.of(alternatives.split(" \\| ", -1));
    }

    private boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    private String any(List<String> list) {
        return list.get(random.nextInt(list.size()));
    }

    /** The bytes of the next request, with these headers before others. */
    byte[] next(List<String> first) {
        StringBuilder text =
                new StringBuilder(any(METHODS) + (oneIn(40) ? "\t" : " ") + target() + ' ' + any(VERSIONS) + end());
        List<String> headers = new ArrayList<>(oneIn(20) ? List.of() : List.of("Host: " + any(HOSTS)));
        headers.addAll(first);
        for (int more = random.nextInt(5); more > 0; more--) {
            headers.add(any(HEADERS));
        }
        if (oneIn(60)) {
            headers.add("X-Long: " + "x".repeat(random.nextInt(20_000)));
        }
        headers.forEach(header -> text.append(header).append(end()));
        text.append(oneIn(15) ? "" : end()).append(oneIn(2) ? any(BODIES) : "");
        text.append("a=".repeat(oneIn(80) ? random.nextInt(10_000) : 0));
        byte[] bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
        return oneIn(4) ? changed(bytes) : bytes;
    }

    private String end() {
        return oneIn(60) ? any(List.of("\n", "\r", "\r\n ", "\r\n\t", "\n\r", "")) : "\r\n";
    }

    private String target() {
        StringBuilder target = new StringBuilder(any(PATHS));
        while (oneIn(4)) {
            target.insert(random.nextInt(target.length() + 1), any(ODD));
        }
        target.append("x".repeat(oneIn(100) ? random.nextInt(20_000) : 0));
        for (int parameters = Math.max(0, random.nextInt(5) - 2); parameters > 0; parameters--) {
            String name = any(NAMES);
            target.append(target.indexOf("?") < 0 ? '?' : '&').append(name).append(oneIn(15) ? "" : "=");
            target.append(any(name.equals("count") ? COUNTS : VALUES));
        }
        return target.toString();
    }

    /** The same with some bytes changed, left out, put in, or cut off. */
    private byte[] changed(byte[] bytes) {
        ByteArrayOutputStream changed = new ByteArrayOutputStream();
        int each = Math.max(2, bytes.length / (1 + random.nextInt(4)));
        for (byte one : bytes) {
            byte any = (byte) random.nextInt(256);
            switch (oneIn(each) ? random.nextInt(5) : 5) {
                case 0 -> {} // left out
                case 1 -> changed.write(any);
                case 2 -> changed.writeBytes(new byte[] {one, any});
                case 3 -> changed.writeBytes(new byte[] {one, one});
                case 4 -> {
                    return changed.toByteArray();
                }
                default -> changed.write(one);
            }
        }
        return changed.toByteArray();
    }
}
